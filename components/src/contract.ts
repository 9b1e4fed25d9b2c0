// Generated from site/src/sections.rs by `make contract`: change it there.

/**
 * A part of a page that is a React component, with everything that it shows.
 */
export type Section = { "name": "NavBar", "props": NavBarProps } | { "name": "PricingCards", "props": PricingCardsProps } | { "name": "FaqAccordion", "props": FaqAccordionProps } | { "name": "ContactForm", "props": ContactFormProps };

/**
 * A link.
 */
export type Link = { 
/**
 * The text of the link.
 */
label: string, 
/**
 * A path of this site or an absolute address.
 */
href: string, 
/**
 * Whether it opens in a new tab.
 */
newTab: boolean, };

/**
 * What the navigation bar shows.
 */
export type NavBarProps = { 
/**
 * The product's name, beside the logo.
 */
brand: string, 
/**
 * The links, in order.
 */
links: Array<Link>, 
/**
 * The link that looks like a button.
 */
dashboard: Link, 
/**
 * The path of the page that is shown, or null where the navigation doesn't name it.
 */
current: string | null, 
/**
 * The bar's own words.
 */
copy: NavBarCopy, };

/**
 * The navigation bar's own words.
 */
export type NavBarCopy = { 
/**
 * The name of the landmark.
 */
navigation: string, 
/**
 * What is read after the brand in the logo's link.
 */
home: string, 
/**
 * The menu button's name while the menu is closed.
 */
openMenu: string, 
/**
 * The menu button's name while the menu is open.
 */
closeMenu: string, 
/**
 * Read after a link that opens in a new tab.
 */
newTab: string, };

/**
 * What the pricing cards show.
 */
export type PricingCardsProps = { 
/**
 * The plans, in order.
 */
plans: Array<Plan>, };

/**
 * One plan (specification, section 3: pricing plan).
 */
export type Plan = { 
/**
 * The plan's name.
 */
name: string, 
/**
 * The price with its currency sign.
 */
price: string, 
/**
 * What the price is for.
 */
period: string, 
/**
 * Whom the plan is for.
 */
description: string, 
/**
 * The bandwidth that is included.
 */
bandwidth: string, 
/**
 * The support that is included.
 */
support: string, 
/**
 * What all plans include.
 */
features: Array<string>, 
/**
 * Whether the card stands out.
 */
highlighted: boolean, 
/**
 * Where the card's button leads.
 */
action: Link, 
/**
 * The card's own words.
 */
copy: PlanCopy, };

/**
 * A plan card's own words.
 */
export type PlanCopy = { 
/**
 * Names the bandwidth.
 */
bandwidth: string, 
/**
 * Names the support.
 */
support: string, 
/**
 * Stands over the features.
 */
features: string, };

/**
 * What the FAQ shows.
 */
export type FaqAccordionProps = { 
/**
 * The questions, in order.
 */
entries: Array<FaqEntry>, };

/**
 * One question and its answer.
 */
export type FaqEntry = { 
/**
 * The fragment identifier that leads to the question.
 */
id: string, 
/**
 * The question.
 */
question: string, 
/**
 * The paragraphs of the answer.
 */
answer: Array<string>, };

/**
 * What the contact form shows.
 */
export type ContactFormProps = { 
/**
 * Where the form is posted to.
 */
action: string, 
/**
 * The banner that the form starts with.
 */
state: ContactFormState, 
/**
 * What the fields start with.
 */
draft: ContactDraft, 
/**
 * What is wrong with the draft.
 */
errors: Array<FieldError>, 
/**
 * The form's own words.
 */
copy: ContactFormCopy, 
/**
 * How long 'Sending...' shows at least, in milliseconds.
 */
sendDelayMs: number, };

/**
 * The state of the contact form as the server renders it (specification, section 4).
 */
export type ContactFormState = "idle" | "sent" | "failed" | "limited";

/**
 * The text of the contact form's fields, as typed.
 */
export type ContactDraft = { 
/**
 * The sender's name.
 */
name: string, 
/**
 * The sender's e-mail address.
 */
email: string, 
/**
 * The sender's company, or nothing.
 */
company: string, 
/**
 * The message.
 */
message: string, };

/**
 * A field of the contact form; its name in the posted form, too.
 */
export type ContactField = "name" | "email" | "company" | "message";

/**
 * What is wrong with one field, as a sentence for the visitor.
 */
export type FieldError = { 
/**
 * The field.
 */
field: ContactField, 
/**
 * What is wrong and what to do.
 */
message: string, };

/**
 * The contact form's own words.
 */
export type ContactFormCopy = { 
/**
 * Stands over the form.
 */
heading: string, 
/**
 * Labels the name.
 */
name: string, 
/**
 * Labels the e-mail address.
 */
email: string, 
/**
 * Labels the company.
 */
company: string, 
/**
 * Labels the message.
 */
message: string, 
/**
 * Follows the label of a field that may stay empty.
 */
optional: string, 
/**
 * The button.
 */
submit: string, 
/**
 * The button while the message is on its way.
 */
sending: string, 
/**
 * The success banner.
 */
success: string, 
/**
 * The error banner.
 */
failure: string, 
/**
 * The banner for a visitor who has sent too many messages.
 */
limited: string, 
/**
 * Stands over the list of field errors.
 */
errorSummary: string, 
/**
 * Stands before the page's title and each field error.
 */
errorPrefix: string, 
/**
 * Says what happens with the data.
 */
privacy: string, };

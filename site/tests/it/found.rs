//! What the site tells search engines and other machines.

use poem::http::header;
use scraper::{Html, Selector};
use serde_json::Value;
use site::{
    config::Handling,
    copy::SiteCopy,
    publisher::CopySource,
    views::{PAGES, Page},
};

use crate::support::{HANDLING, Harness, one_line, test_copy_file, visible};

async fn body(harness: &Harness, path: &str) -> String {
    harness.client().get(path).send().await.0.into_body().into_string().await.unwrap()
}

/// Every text in linked data with its property, without types, places in a list and currencies.
fn said(data: &Value, property: &str, texts: &mut Vec<(String, String)>) {
    match data {
        Value::Object(fields) => {
            for (property, value) in fields {
                if !["@context", "@type", "priceCurrency"].contains(&property.as_str()) {
                    said(value, property, texts);
                }
            }
        }
        Value::Array(items) => items.iter().for_each(|item| said(item, property, texts)),
        Value::String(text) => texts.push((property.to_owned(), text.clone())),
        _ => {}
    }
}

async fn linked_data(harness: &Harness, page: &Page) -> (Html, Vec<Value>) {
    let document = Html::parse_document(&body(harness, page.path).await);
    let script = Selector::parse("script[type='application/ld+json']").unwrap();
    let data = document.select(&script).map(|script| script.text().collect::<String>());
    let data = data.map(|text| serde_json::from_str(&text).unwrap()).collect();
    (document, data)
}

#[tokio::test]
async fn linked_data_says_what_visitors_read_on_the_same_page() {
    let harness = Harness::published().await;
    let address = harness.app.publisher.copy().site.address.join("/");
    for page in &PAGES {
        let (document, data) = linked_data(&harness, page).await;
        assert_eq!(data.len(), usize::from(page.listed), "{}", page.path);
        let visible = visible(&document);
        let mut texts = Vec::new();
        for data in &data {
            said(data, "", &mut texts);
        }
        for (property, text) in texts {
            if ["url", "logo", "item"].contains(&property.as_str()) {
                let path = text.strip_prefix(&address).unwrap();
                harness.client().get(format!("/{path}")).send().await.assert_status_is_ok();
            } else {
                let text = one_line(&text);
                assert!(
                    visible.contains(&text),
                    "{}: {property} \"{text}\" is not on the page",
                    page.path
                );
            }
        }
    }
}

/// The types that search engines look for, each on the page that shows what they hold.
#[tokio::test]
async fn each_page_has_the_types_that_search_engines_look_for() {
    let harness = Harness::published().await;
    for (path, types) in [
        ("/", &["FAQPage", "Question", "Answer", "WebSite", "Organization"][..]),
        ("/pricing", &["WebPage", "BreadcrumbList", "Product", "Offer", "UnitPriceSpecification"]),
        ("/contact", &["ContactPage", "BreadcrumbList", "Organization", "ContactPoint"]),
        ("/privacy", &["WebPage", "BreadcrumbList"]),
    ] {
        let page = PAGES.iter().find(|page| page.path == path).unwrap();
        let (_, data) = linked_data(&harness, page).await;
        let text = data[0].to_string();
        for kind in types {
            assert!(
                text.contains(&format!("\"@type\":\"{kind}\"")),
                "{path} has no {kind}: {text}"
            );
        }
    }
    let pricing = PAGES.iter().find(|page| page.path == "/pricing").unwrap();
    let (_, data) = linked_data(&harness, pricing).await;
    let offers = data[0]["mainEntity"]["offers"].as_array().unwrap();
    let prices: Vec<_> = offers.iter().map(|offer| &offer["priceSpecification"]["price"]).collect();
    assert_eq!(prices, ["15", "50", "500"]);
}

/// A text of the copy that would end the element is data all the same.
#[tokio::test]
async fn no_text_of_the_copy_ends_the_linked_data_before_its_end() {
    let text = std::fs::read_to_string(test_copy_file()).unwrap();
    let evil = "</script><b>";
    let text = text.replace("heading = \"Contact Us\"", &format!("heading = \"{evil}\""));
    let file = tempfile::NamedTempFile::new().unwrap();
    std::fs::write(file.path(), text).unwrap();
    let (harness, _sidecar) =
        Harness::with_copy_and_sidecar(CopySource::File(file.path().to_owned())).await;
    let page = PAGES.iter().find(|page| page.path == "/contact").unwrap();
    let (_, data) = linked_data(&harness, page).await;
    assert_eq!(data[0]["name"], evil);
}

#[tokio::test]
async fn files_for_machines_are_text_that_browsers_show() {
    let harness = Harness::published().await;
    for path in ["/robots.txt", "/llms.txt", "/.well-known/security.txt"] {
        let response = harness.client().get(path).send().await;
        response.assert_header(header::CONTENT_TYPE, "text/plain; charset=utf-8");
    }
    insta::assert_snapshot!("llms", body(&harness, "/llms.txt").await);
    insta::assert_snapshot!("security", body(&harness, "/.well-known/security.txt").await);
}

/// docs/behaviour.md, "Privacy": the page says what this site does, and nothing that it doesn't.
#[tokio::test]
async fn the_page_about_privacy_says_what_the_configuration_makes_true() {
    let words = |copy: &SiteCopy| copy.privacy.stay.clone();
    for (mailed, retention_days) in
        [(false, None), (false, Some(30)), (true, None), (true, Some(1))]
    {
        let handling = Handling { mailed, retention_days };
        let harness = Harness::handling(handling).await;
        let page = body(&harness, "/privacy").await;
        let words = words(&harness.app.publisher.copy());
        let deleted = words.deleted.replace("{days}", &retention_days.unwrap_or(0).to_string());
        for (sentence, is_true) in [
            (&words.mailed, mailed),
            (&words.mailbox, mailed),
            (&words.kept, !mailed),
            (&deleted, retention_days.is_some()),
            (&words.stays, retention_days.is_none()),
        ] {
            assert_eq!(page.contains(sentence.as_str()), is_true, "{handling:?}: {sentence}");
        }
    }
    for path in ["/", "/pricing", "/contact", "/nowhere"] {
        let page = body(&Harness::handling(HANDLING).await, path).await;
        assert!(page.contains("<a href=\"/privacy\">"), "{path} doesn't lead there");
    }
}

/// Where links of the copy may lead, there is something.
#[tokio::test]
async fn every_place_that_links_may_lead_to_is_on_its_page() {
    let harness = Harness::published().await;
    let copy = harness.app.publisher.copy();
    for page in &PAGES {
        let document = Html::parse_document(&body(&harness, page.path).await);
        for anchor in (page.anchors)(&copy) {
            let place = Selector::parse(&format!("[id='{anchor}']")).unwrap();
            assert_eq!(document.select(&place).count(), 1, "{} #{anchor}", page.path);
        }
    }
}

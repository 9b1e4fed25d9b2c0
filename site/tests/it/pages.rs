//! Every page as it leaves the server.

use poem::http::{Method, StatusCode};
use scraper::{Html, Selector};
use site::{copy::HOME_IDS, views::PAGES};

use crate::support::{Harness, copy, snapshot, visible};

#[tokio::test]
async fn every_page_is_as_it_was_accepted() {
    let harness = Harness::published().await;
    let client = harness.client();
    for page in &PAGES {
        let name = match page.path.trim_matches('/') {
            "" => "home".to_owned(),
            path => path.replace('/', "_"),
        };
        insta::assert_snapshot!(name, snapshot(client.get(page.path).send().await).await);
    }
    insta::assert_snapshot!("not_found", snapshot(client.get("/no/such/page").send().await).await);
}

#[tokio::test]
async fn no_two_listed_pages_share_a_title_or_a_description() {
    let copy = copy();
    let mut seen = std::collections::HashSet::new();
    for page in PAGES.iter().filter(|page| page.listed) {
        let meta = (page.meta)(&copy);
        assert!(seen.insert(meta.title), "{}", page.path);
        assert!(seen.insert(meta.description), "{}", page.path);
    }
}

#[tokio::test]
async fn each_id_of_the_home_page_is_its_own_and_none_that_a_question_might_take() {
    let harness = Harness::published().await;
    let page = harness.client().get("/").send().await.0.into_body().into_string().await.unwrap();
    let copy = copy();
    let questions = copy.home.faq.entries.iter().map(|entry| entry.id.as_str());
    let known: Vec<_> = questions.chain(HOME_IDS).collect();
    let document = Html::parse_document(&page);
    let mut ids: Vec<_> = document
        .select(&Selector::parse("[id]").unwrap())
        .filter_map(|element| element.attr("id"))
        .collect();
    ids.sort_unstable();
    assert!(ids.is_sorted_by(|one, other| one < other), "one of them twice: {ids:?}");
    assert!(ids.iter().all(|id| known.contains(id)), "{ids:?}");
    assert_eq!(ids.len(), known.len(), "{ids:?}");
}

/// Label and destination of each plan's link, in a card and in the table.
#[tokio::test]
async fn the_comparison_leads_to_what_the_cards_lead_to() {
    let harness = Harness::published().await;
    let page =
        harness.client().get("/pricing").send().await.0.into_body().into_string().await.unwrap();
    let page = Html::parse_document(&page);
    let links = |selector: &str| -> Vec<_> {
        let selector = Selector::parse(selector).unwrap();
        page.select(&selector).map(|link| (link.attr("href"), link.inner_html())).collect()
    };
    let of_cards = links(".plan a");
    assert_eq!(of_cards.len(), 3);
    assert_eq!(links(".comparison tbody a"), of_cards);
}

#[tokio::test]
async fn machine_readable_files_are_as_they_were_accepted() {
    let harness = Harness::published().await;
    for (name, path) in
        [("robots", "/robots.txt"), ("sitemap", "/sitemap.xml"), ("manifest", "/site.webmanifest")]
    {
        let body =
            harness.client().get(path).send().await.0.into_body().into_string().await.unwrap();
        insta::assert_snapshot!(name, body);
    }
}

#[tokio::test]
async fn before_the_first_edition_every_path_answers_503_with_the_error_view() {
    let harness = Harness::unpublished().await;
    let client = harness.client();
    insta::assert_snapshot!("unavailable", snapshot(client.get("/").send().await).await);
    for page in &PAGES {
        for method in [Method::GET, Method::HEAD] {
            let response = client.request(method, page.path).send().await;
            response.assert_status(StatusCode::SERVICE_UNAVAILABLE);
            response.assert_header("retry-after", "5");
        }
    }
}

/// docs/behaviour.md, "Constants", word for word.
#[tokio::test]
async fn every_constant_stands_on_its_page() {
    let harness = Harness::published().await;
    let client = harness.client();
    for (path, facts) in [
        (
            "/",
            &[
                "Game Server Hosting Made Easy",
                "Lightning Fast",
                "Secure & Private",
                "Reliable",
                "Empower game developers with reliable, scalable, and easy-to-manage server \
                 infrastructure.",
                "Ready to Host Your Game?",
                "99.9%",
                "Only Unity-based games are supported.",
                "Starter",
                "$15",
                "60GB",
                "Professional",
                "$50",
                "250GB",
                "Enterprise",
                "$500",
                "3TB",
            ][..],
        ),
        (
            "/pricing",
            &[
                "Simple, Transparent Pricing",
                "Choose the plan that fits your needs",
                "Ready to get started?",
                "Starter",
                "$15",
                "60GB",
                "basic",
                "Perfect for indie developers and small games",
                "Professional",
                "$50",
                "250GB",
                "priority",
                "Ideal for growing game studios",
                "Enterprise",
                "$500",
                "3TB",
                "24/7 dedicated",
                "For large-scale game operations",
                "Contact Sales",
                "per month",
                "24/7 uptime monitoring",
                "realtime networking logs",
                "stable and scalable real-time game sessions",
                "rapid multiplayer setup",
                "simple powerful room and player control",
                "live room object view and bandwidth stats",
            ][..],
        ),
        (
            "/contact",
            &[
                "Contact Us",
                "Send Us a Message",
                "Send Message",
                "Monday-Friday 9am-6pm CST",
                "Austin, Texas",
                "hello@tickfleet.example",
                "+1 512 555 0142",
            ][..],
        ),
    ] {
        let page = client.get(path).send().await.0.into_body().into_string().await.unwrap();
        let said = visible(&Html::parse_document(&page));
        for fact in facts {
            assert!(said.contains(fact), "{path} doesn't say {fact}: {said}");
        }
    }
}

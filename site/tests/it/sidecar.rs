//! What the sidecar is asked, and what becomes of its answers.

use std::time::Instant;

use site::{
    assets::Assets,
    config::SidecarAddress,
    sections::{ContactFormProps, NavBarProps, Section},
    sidecar::Sidecar,
};

use crate::support::{Harness, copy};

/// The light and the heavy section of so many pages, no two alike.
fn pages(count: usize) -> Vec<Section> {
    let copy = copy();
    let of_page = |page: usize| {
        let mut navigation = NavBarProps::new(&copy, None);
        navigation.brand = format!("Page {page}");
        let mut form = ContactFormProps::new(&copy);
        form.copy.heading.clone_from(&navigation.brand);
        [Section::NavBar(navigation), Section::ContactForm(form)]
    };
    (0..count).flat_map(of_page).collect()
}

/// More than one call may weigh: they travel in batches, and each answer finds its place.
#[tokio::test]
async fn the_sections_of_a_thousand_pages_are_rendered() {
    let harness = Harness::unpublished().await;
    let _sidecar = harness.start_sidecar().await;
    let sidecar = Sidecar::new(&SidecarAddress::Unix(harness.state.path().join("ssr.sock")));
    let sidecar = sidecar.unwrap();
    let assets = Assets::load().unwrap();
    sidecar.render(assets.bundle(), &pages(10)).await.unwrap();
    for count in [100, 1000] {
        let sections = pages(count);
        let begun = Instant::now();
        let html = sidecar.render(assets.bundle(), &sections).await.unwrap();
        println!("the sections of {count} pages: {:?}", begun.elapsed());
        assert_eq!(html.len(), sections.len());
        for (index, html) in html.iter().enumerate() {
            let mark = format!(">Page {}<", index / 2);
            assert!(html.contains(&mark), "section {index}: {html}");
        }
    }
}

#[tokio::test]
async fn a_section_that_is_too_heavy_by_itself_is_named() {
    let harness = Harness::unpublished().await;
    let heavy = NavBarProps { brand: "x".repeat(1_000_000), ..NavBarProps::new(&copy(), None) };
    let error = harness.app.publisher.render(Section::NavBar(heavy)).await.unwrap_err().to_string();
    assert!(error.starts_with("NavBar has 1000"), "{error}");
    assert!(error.ends_with("at most 900000 travel to the sidecar"), "{error}");
}

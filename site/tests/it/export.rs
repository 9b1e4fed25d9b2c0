//! An edition as files for a static host.

use std::{collections::BTreeMap, fs, path::Path, sync::Arc};

use poem::http::{HeaderValue, header};
use site::{
    config::SidecarAddress,
    export::export,
    headers::EveryAnswer,
    publisher::{Audience, CopySource, Publisher},
    sidecar::Sidecar,
    views::{PAGES, contact::Recipient, meant},
};
use tempfile::TempDir;
use url::Url;

use crate::support::{HANDLING, Harness, SidecarProcess, test_copy, test_copy_file};

/// The file that a static host finds for a path: the path itself, or a page of that name.
fn served(folder: &Path, path: &str) -> Option<Vec<u8>> {
    let name = if path == "/" { "index" } else { path.trim_start_matches('/') };
    let named = [folder.join(name), folder.join(format!("{name}.html"))];
    named.iter().find(|file| file.is_file()).map(|file| fs::read(file).unwrap())
}

/// `_headers`, by path.
fn headers(folder: &Path) -> BTreeMap<String, BTreeMap<String, String>> {
    let mut rules = BTreeMap::<String, BTreeMap<String, String>>::new();
    let mut rule = String::new();
    for line in fs::read_to_string(folder.join("_headers")).unwrap().lines() {
        if let Some((name, value)) = line.trim().split_once(": ").filter(|_| line.starts_with(' '))
        {
            rules.entry(rule.clone()).or_default().insert(name.to_owned(), value.to_owned());
        } else {
            line.clone_into(&mut rule);
        }
    }
    rules
}

#[tokio::test]
async fn an_exported_edition_holds_the_bytes_and_headers_that_are_served() {
    let harness = Harness::published().await;
    let folder = TempDir::new().unwrap();
    let folder = folder.path();
    export(&harness.app.publisher.current(), &Recipient::Site(HANDLING), folder).unwrap();
    let rules = headers(folder);
    let client = harness.client();
    let edition = harness.app.publisher.current();
    for (path, _) in edition.resources() {
        let response = client.get(path).send().await.0;
        let headers = response.headers().clone();
        let bytes = response.into_body().into_bytes().await.unwrap();
        assert_eq!(served(folder, path).unwrap(), bytes, "{path}");
        let rule = &rules[path];
        for (name, value) in headers.iter().filter(|(name, _)| {
            ![header::CONTENT_LENGTH, header::ETAG, header::VARY].contains(name)
        }) {
            assert_eq!(rule.get(name.as_str()).map(String::as_str), value.to_str().ok(), "{path}");
        }
    }
    let page = client.get("/").header(header::ACCEPT_ENCODING, "br").send().await.0;
    let bytes = page.into_body().into_bytes().await.unwrap();
    assert_eq!(fs::read(folder.join("index.html.br")).unwrap(), bytes);
    let not_found = client.get("/nowhere").send().await.0.into_body().into_bytes().await.unwrap();
    assert_eq!(fs::read(folder.join("404.html")).unwrap(), not_found);
}

/// Without it a visitor whose message was stored would see that nothing is there, and send it again.
#[tokio::test]
async fn an_export_has_the_page_of_a_sent_form_where_the_site_takes_the_form_and_nowhere_else() {
    let harness = Harness::published().await;
    let edition = harness.app.publisher.current();
    let elsewhere = Recipient::Elsewhere(Url::parse("https://forms.example/").unwrap());
    let recipients =
        [(Recipient::Site(HANDLING), true), (elsewhere, false), (Recipient::Nobody, false)];
    for (recipient, is_there) in recipients {
        let folder = TempDir::new().unwrap();
        export(&edition, &recipient, folder.path()).unwrap();
        assert_eq!(served(folder.path(), "/contact/sent").is_some(), is_there, "{recipient:?}");
    }
}

#[tokio::test]
async fn every_redirect_leads_where_the_site_leads() {
    let harness = Harness::published().await;
    let folder = TempDir::new().unwrap();
    export(&harness.app.publisher.current(), &Recipient::Site(HANDLING), folder.path()).unwrap();
    let redirects = fs::read_to_string(folder.path().join("_redirects")).unwrap();
    assert!(redirects.lines().count() > PAGES.len());
    for line in redirects.lines() {
        let [from, to, status] = line.split(' ').collect::<Vec<_>>().try_into().unwrap();
        assert_eq!((meant(from).map(|page| page.path), status), (Some(to), "301"));
    }
}

#[tokio::test]
async fn an_export_removes_what_an_earlier_one_left_and_nothing_else() {
    let harness = Harness::published().await;
    let folder = TempDir::new().unwrap();
    let folder = folder.path();
    let edition = harness.app.publisher.current();
    export(&edition, &Recipient::Nobody, folder).unwrap();
    fs::write(folder.join("old.html"), "old").unwrap();
    fs::write(folder.join("CNAME"), "of the owner").unwrap();
    let list = fs::read_to_string(folder.join(".export")).unwrap();
    fs::write(folder.join(".export"), format!("{list}\nold.html")).unwrap();
    let summary = export(&edition, &Recipient::Nobody, folder).unwrap().to_string();
    assert!(summary.contains("; 1 files of the last export removed"), "{summary}");
    assert!(!folder.join("old.html").exists() && folder.join("CNAME").exists());

    let foreign = TempDir::new().unwrap();
    fs::write(foreign.path().join("thesis.txt"), "mine").unwrap();
    let error = export(&edition, &Recipient::Nobody, foreign.path()).err().unwrap().to_string();
    assert!(error.contains("name a new folder"), "{error}");
    assert_eq!(fs::read_dir(foreign.path()).unwrap().count(), 1);

    fs::write(folder.join(".export"), "../thesis.txt\n").unwrap();
    assert!(export(&edition, &Recipient::Nobody, folder).is_err());
}

/// A site that makes pages whose messages somebody else takes.
async fn made_for(recipient: Recipient) -> (Harness, SidecarProcess, Publisher) {
    let (harness, sidecar) = Harness::with_sidecar().await;
    let state = harness.state.path();
    let client = Sidecar::new(&SidecarAddress::Unix(state.join("ssr.sock"))).unwrap();
    let every = EveryAnswer::new(HeaderValue::from_static("max-age=1"));
    let publisher =
        Publisher::new(test_copy(), Audience::Command, HANDLING, client, state, every).unwrap();
    (harness, sidecar, publisher.for_recipient(recipient))
}

#[tokio::test]
async fn an_export_without_a_form_says_how_to_write_and_promises_nothing_of_a_server() {
    let (_harness, _sidecar, publisher) = made_for(Recipient::Nobody).await;
    let publisher = Arc::new(publisher);
    publisher.publish().await.unwrap();
    let edition = publisher.current();
    let page =
        |path| String::from_utf8(edition.resource(path).unwrap().identity().to_vec()).unwrap();
    let words = &edition.copy().contact.form.absent;
    assert!(!page("/contact").contains("<form") && page("/contact").contains(words.as_str()));
    assert!(!page("/privacy").contains(&edition.copy().privacy.message.heading));
}

#[tokio::test]
async fn the_form_of_an_export_posts_to_the_address_that_was_given_and_the_policy_allows_it() {
    let address = Url::parse("https://forms.example/of/us?key=1").unwrap();
    let (_harness, _sidecar, publisher) = made_for(Recipient::Elsewhere(address)).await;
    let publisher = Arc::new(publisher);
    publisher.publish().await.unwrap();
    let edition = publisher.current();
    let contact = edition.resource("/contact").unwrap();
    let page = str::from_utf8(contact.identity()).unwrap();
    assert!(
        page.contains("action=\"https://forms.example/of/us?key=1\" method=\"post\""),
        "{page}"
    );
    let policy = contact.headers()[header::CONTENT_SECURITY_POLICY].to_str().unwrap();
    assert!(policy.contains("form-action 'self' https://forms.example;"), "{policy}");
    let privacy = str::from_utf8(edition.resource("/privacy").unwrap().identity()).unwrap();
    assert!(!privacy.contains(&edition.copy().privacy.message.heading));
}

/// Or a start with a broken copy would serve pages without a form, or those of a draft.
#[tokio::test]
async fn an_export_leaves_the_last_good_edition_of_the_site_alone() {
    let (harness, _sidecar) = Harness::with_sidecar().await;
    let page = |publisher: &Publisher| {
        publisher.current().resource("/contact").unwrap().identity().to_vec()
    };
    let served = page(&harness.app.publisher);
    let state = harness.state.path();
    let copy = |name: &str, text: &str| {
        let file = state.join(name);
        fs::write(&file, text).unwrap();
        CopySource::File(file)
    };
    let text = fs::read_to_string(test_copy_file()).unwrap();
    let draft = copy("draft.toml", &text.replace("\"Contact Us\"", "\"Contact Them\""));
    let broken = copy("broken.toml", "[site]");
    let publisher = |source, audience| {
        let client = Sidecar::new(&SidecarAddress::Unix(state.join("ssr.sock"))).unwrap();
        let every = EveryAnswer::new(HeaderValue::from_static("max-age=1"));
        Publisher::new(source, audience, HANDLING, client, state, every)
    };
    for recipient in [Recipient::Nobody, Recipient::Site(HANDLING)] {
        let exported = publisher(draft.clone(), Audience::Command).unwrap();
        let exported = Arc::new(exported.for_recipient(recipient));
        exported.publish().await.unwrap();
        assert_ne!(page(&exported), served);
        let restored = publisher(broken.clone(), Audience::Visitors).unwrap();
        assert!(page(&restored) == served, "the last good one was another");
    }
}

//! What owners run beside the site: `site check`, `site preview`.

use std::{
    fs,
    io::{BufRead, BufReader},
    os::unix::fs::PermissionsExt,
    path::Path,
    process::{Child, Command, Output, Stdio},
    sync::Arc,
};

use jiff::{Timestamp, ToSpan, civil::Date, tz::TimeZone};
use site::status;
use tempfile::TempDir;

use crate::support::{
    Harness, SidecarProcess, eventually,
    process::{SiteProcess, command},
    root, test_copy_file,
};

fn site(arguments: &[&str], folder: &Path, variables: &[(&str, &str)]) -> Output {
    let mut site = Command::new(env!("CARGO_BIN_EXE_site"));
    let site = site.args(arguments).env_clear().envs(variables.iter().copied());
    site.current_dir(folder).output().unwrap()
}

/// What a check says, and whether it found nothing wrong.
fn check(arguments: &[&str], folder: &Path, variables: &[(&str, &str)]) -> (bool, String) {
    let output = site(&[&["check"], arguments].concat(), folder, variables);
    let told = [output.stdout, output.stderr].concat();
    (output.status.success(), String::from_utf8(told).unwrap())
}

#[test]
fn a_check_reads_the_file_that_is_meant_and_names_it() {
    let folder = TempDir::new().unwrap();
    let text = fs::read_to_string(test_copy_file()).unwrap();
    let write = |name: &str, text: &str| {
        let file = folder.path().join(name);
        fs::create_dir_all(file.parent().unwrap()).unwrap();
        fs::write(file, text).unwrap();
    };
    let today = Timestamp::now().to_zoned(TimeZone::UTC).date();
    let text = text.replace("\"2026-11-22\"", &format!("\"{today}\""));
    let expiring = |day: Date| text.replace("\"2027-10-01\"", &format!("\"{day}\""));
    write("new.toml", &expiring(today + 31.days()));
    write("broken.toml", &text.replace("copyright_year = 2025", "copyright_year = 20 25"));
    let here = folder.path();
    let told = check(&["new.toml"], here, &[]);
    assert_eq!(told, (true, "new.toml is in order.\n".to_owned()));
    for day in [today + 29.days(), today + 367.days()] {
        write("old.toml", &expiring(day));
        let (is_fine, told) = check(&["old.toml"], here, &[]);
        let asked = format!("in order.\nsite.security_expires = \"{day}\": set another day");
        assert!(is_fine && told.contains(&asked), "{told}");
    }
    let (is_fine, told) = check(&["broken.toml"], here, &[("SITE_CONTENT", "new.toml")]);
    assert!(!is_fine && told.starts_with("broken.toml:12: "), "{told}");
    let (is_fine, told) = check(&[], here, &[("SITE_CONTENT", "broken.toml")]);
    assert!(!is_fine && told.starts_with("broken.toml:12: "), "{told}");
    let (is_fine, told) = check(&["absent.toml"], here, &[]);
    assert!(!is_fine && told.contains("absent.toml can't be read"), "{told}");
    fs::write(here.join("latin1.toml"), b"# one line\nname = \"Caf\xe9\"\n").unwrap();
    let (is_fine, told) = check(&["latin1.toml"], here, &[]);
    assert!(
        !is_fine && told.contains("line 2") && told.contains("save the file as UTF-8"),
        "{told}"
    );
    // In the source tree it is the file there, broken or not, and never the one in the binary.
    write("site/content/site.toml", "[site]\n");
    let (is_fine, told) = check(&[], here, &[]);
    assert!(!is_fine && told.starts_with("site/content/site.toml:"), "{told}");
}

#[test]
fn a_check_hints_at_days_to_come_and_at_prices_in_another_currency() {
    let folder = TempDir::new().unwrap();
    let today = Timestamp::now().to_zoned(TimeZone::UTC).date();
    let text = fs::read_to_string(test_copy_file()).unwrap();
    let fresh = text.replace("\"2027-10-01\"", &format!("\"{}\"", today + 100.days()));
    let fresh = fresh.replace("\"2026-11-22\"", &format!("\"{today}\""));
    let updated = |day: Date| fresh.replacen(&format!("\"{today}\""), &format!("\"{day}\""), 1);
    let told = |text: &str| {
        fs::write(folder.path().join("new.toml"), text).unwrap();
        let (is_fine, told) = check(&["new.toml"], folder.path(), &[]);
        assert!(is_fine, "{told}");
        told.lines().skip(1).map(str::to_owned).collect::<Vec<_>>()
    };
    let day = today + 2.days();
    let hint = format!("home.meta.updated = \"{day}\": set another day; this one is still to come");
    assert_eq!(told(&updated(day)), [hint]);
    assert!(told(&updated(today + 1.day())).is_empty());
    let euros = fresh.replace("\"USD\"", "\"EUR\"").replace("\"$15\"", "\"15 €\"");
    assert_eq!(
        told(&euros.replace("\"$50\"", "\"Custom\"")),
        [
            r#"pricing.cards.plans.enterprise.price = "$500": write €, or set another currency than "EUR""#
        ]
    );
    assert!(told(&fresh.replace("\"USD\"", "\"CAD\"")).is_empty());
}

/// There is nothing that it could serve, and whoever starts it reads why.
#[test]
fn a_first_start_with_a_broken_copy_ends_and_names_the_line() {
    let folder = TempDir::new().unwrap();
    let text = fs::read_to_string(test_copy_file()).unwrap();
    let broken = text.replace("copyright_year = 2025", "copyright_year = 20 25");
    fs::write(folder.path().join("broken.toml"), broken).unwrap();
    let output = site(&[], folder.path(), &[("SITE_CONTENT", "broken.toml"), ("PORT", "0")]);
    let told = String::from_utf8(output.stderr).unwrap();
    assert!(!output.status.success() && told.contains("broken.toml:12: "), "{told}");
}

/// Ends when it is dropped.
struct Preview(Child);

impl Drop for Preview {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

impl Preview {
    /// Starts one beside the site with this state folder, and returns its address, too.
    fn start(state: &Path, draft: &Path) -> (Self, String) {
        let child = Command::new(env!("CARGO_BIN_EXE_site"))
            .args(["preview", draft.to_str().unwrap()])
            .current_dir(root())
            .env_clear()
            .env("STATE_DIR", state)
            .env("CONTACT_RETENTION_DAYS", "30")
            .envs([
                ("SMTP_URL", "smtp://127.0.0.1:9"),
                ("CONTACT_FROM", "site@tickfleet.example"),
                ("CONTACT_TO", "team@tickfleet.example"),
            ])
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let mut preview = Self(child);
        let mut line = String::new();
        let mut told = BufReader::new(preview.0.stdout.take().unwrap());
        told.read_line(&mut line).unwrap();
        let address = line.trim().strip_prefix("Pages are being served at ").unwrap();
        (preview, address.to_owned())
    }
}

#[tokio::test]
async fn a_preview_shows_another_copy_as_a_draft_and_touches_nothing_of_the_site() {
    let state = TempDir::new().unwrap();
    let served = SiteProcess::start(state.path(), &[]).await;
    let _sidecar = SidecarProcess::start(&state.path().join("ssr.sock")).await;
    let draft = state.path().join("draft.toml");
    let text = fs::read_to_string(test_copy_file()).unwrap();
    fs::write(&draft, text.replace("Simple, Transparent Pricing", "Prices of Next Year")).unwrap();
    let (_preview, address) = Preview::start(state.path(), &draft);

    let client = reqwest::Client::new();
    let page = async |address: &str| {
        client.get(address).send().await.unwrap().error_for_status().unwrap().text().await.unwrap()
    };
    let shown = page(&format!("{address}pricing")).await;
    assert!(
        shown.contains("Prices of Next Year") && shown.contains("content:\"Draft\""),
        "{shown}"
    );
    // What the site does with a message, though the preview mails none.
    let privacy = page(&format!("{address}privacy")).await;
    assert!(privacy.contains("sends it by e-mail to our team"), "{privacy}");
    let form = [("name", "Ada"), ("email", "ada@example.com"), ("message", "Hi"), ("website", "")];
    let posted =
        client.post(format!("{address}contact")).body(serde_urlencoded::to_string(form).unwrap());
    assert!(posted.send().await.unwrap().status().is_success());

    let pricing = page(&format!("{}/pricing", served.address())).await;
    assert!(!pricing.contains("Next Year") && !pricing.contains("content:\"Draft\""));
    assert!(crate::support::process::messages(state.path(), &[]).unwrap().contains("No messages."));
}

/// Whoever reloads the page doesn't see the terminal.
#[tokio::test]
async fn a_preview_of_a_copy_with_a_mistake_says_that_it_is_older_until_the_mistake_is_gone() {
    let state = TempDir::new().unwrap();
    let _sidecar = SidecarProcess::start(&state.path().join("ssr.sock")).await;
    let draft = state.path().join("draft.toml");
    let text = fs::read_to_string(test_copy_file()).unwrap();
    fs::write(&draft, &text).unwrap();
    let (_preview, address) = Preview::start(state.path(), &draft);
    let shows = async |mark: &str| {
        let page = reqwest::get(&address).await.unwrap().error_for_status().unwrap();
        page.text().await.unwrap().contains(mark)
    };
    assert!(!shows("Earlier draft").await);
    fs::write(&draft, text.replace("copyright_year = 2025", "copyright_year = 20 25")).unwrap();
    eventually("the mark", async || shows("Earlier draft").await).await;
    fs::write(&draft, &text).unwrap();
    eventually("no mark", async || !shows("Earlier draft").await).await;
}

/// An owner whose text does not appear finds why here: `site check` finds nothing wrong with it.
#[tokio::test]
async fn the_status_names_a_sidecar_that_stays_away_and_pages_of_an_earlier_start() {
    let state = TempDir::new().unwrap();
    let copy = state.path().join("site.toml");
    let text = fs::read_to_string(test_copy_file()).unwrap();
    fs::write(&copy, &text).unwrap();
    let variables = [("SITE_CONTENT", copy.to_str().unwrap())];
    let status = || command(state.path(), &["status"]).unwrap();
    let mut served = SiteProcess::start(state.path(), &variables).await;
    fs::write(&copy, text.replace("\"Dashboard\"", "\"Console\"")).unwrap();
    let away = async |site: &SiteProcess, what: &str| {
        let what = format!("{}/ serves {what}", site.address());
        eventually("what is the matter", async || {
            let told = status();
            told.contains(&what) && told.contains("No newer edition") && told.contains("ssr.sock")
        })
        .await;
    };
    away(&served, "edition ").await;
    served.stop().await;
    let restarted = SiteProcess::start(state.path(), &variables).await;
    away(&restarted, "the last good pages of an earlier start since").await;
}

#[tokio::test]
async fn the_status_tells_what_is_served_what_was_refused_and_what_waits() {
    let state = TempDir::new().unwrap();
    let copy = state.path().join("site.toml");
    let text = fs::read_to_string(test_copy_file()).unwrap();
    fs::write(&copy, &text).unwrap();
    let variables = [
        ("SITE_CONTENT", copy.to_str().unwrap()),
        ("SMTP_URL", "smtp://127.0.0.1:9"),
        ("CONTACT_FROM", "site@tickfleet.example"),
        ("CONTACT_TO", "team@tickfleet.example"),
    ];
    let folder = state.path().to_str().unwrap();
    let status = || {
        let output = site(&["status"], state.path(), &[("STATE_DIR", folder)]);
        String::from_utf8([output.stdout, output.stderr].concat()).unwrap()
    };
    assert!(status().contains("No site has been started"), "{}", status());

    let mut served = SiteProcess::start(state.path(), &variables).await;
    // Its number counts the last good pages, too, where a busy machine has shown these before.
    let first = format!("{}/ serves edition ", served.address());
    let of = format!(" of {}", copy.display());
    eventually("the note", async || {
        let told = status();
        told.contains(&first) && told.contains(&of)
    })
    .await;
    let note = fs::metadata(state.path().join("status.json")).unwrap();
    assert_eq!(note.permissions().mode() & 0o777, 0o600);
    let form = [("name", "Ada"), ("email", "ada@example.com"), ("message", "Hi"), ("website", "")];
    served.post(&reqwest::Client::new(), &form).await.unwrap();
    eventually("the refusal of the mail server", async || {
        let told = status();
        told.contains("1 pending, 0 delivered, 0 dead")
            && told.contains("1 of them could not be mailed yet")
    })
    .await;
    fs::write(&copy, text.replace("copyright_year = 2025", "copyright_year = 20 25")).unwrap();
    eventually("the refusal of the copy", async || {
        let told = status();
        told.contains(&first)
            && told.contains("No newer edition since")
            && told.contains("site.toml:12: ")
    })
    .await;
    fs::write(&copy, &text).unwrap();
    eventually("all is well again", async || !status().contains("No newer edition")).await;
    served.stop().await;
    assert!(status().contains("Nothing is being served"), "{}", status());
}

/// A volume that stalls, as one over a network may, would keep a thread that has pages to serve.
#[test]
fn a_note_that_takes_long_to_be_written_keeps_no_page_waiting() {
    let mut runtime = tokio::runtime::Builder::new_current_thread();
    let runtime = runtime.enable_all().max_blocking_threads(1).build().unwrap();
    runtime.block_on(async {
        let harness = Harness::published().await;
        let state = harness.state.path().to_owned();
        // The one thread that may wait for a volume waits.
        let (volume, stalled) = std::sync::mpsc::channel::<()>();
        let waiting = tokio::task::spawn_blocking(move || stalled.recv());
        let (publisher, address) = (Arc::clone(&harness.app.publisher), ([127, 0, 0, 1], 1).into());
        let keeping = tokio::spawn(status::keep(publisher, address, state.clone()));
        tokio::task::yield_now().await;
        harness.client().get("/").send().await.assert_status_is_ok();
        let note = state.join("status.json");
        assert!(!note.exists(), "the thread that serves pages has written it");
        drop(volume);
        eventually("a note", async || note.exists()).await;
        keeping.abort();
        assert!(waiting.await.unwrap().is_err());
    });
}

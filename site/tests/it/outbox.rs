//! What is stored, on both databases.

use std::time::Duration;

use jiff::{Span, Timestamp};
use site::contact::outbox::{self, LEASE, Outbox, State, Stored};
use sqlx::{Executor, Row};

use crate::support::{message, postgres::Database};

const HOST: &str = "tickfleet.example";

fn later(time: Timestamp, by: Duration) -> Timestamp {
    time.checked_add(Span::try_from(by).unwrap()).unwrap()
}

#[tokio::test]
async fn a_message_that_is_stored_by_twenty_at_once_is_stored_once() {
    for database in Database::both().await {
        let outbox = Outbox::new(&database.url).unwrap();
        let posts = (0..20)
            .map(async |_| outbox.store(&message("Ada", "Hello"), None, HOST).await.unwrap());
        let stored = futures_util::future::join_all(posts).await;
        assert_eq!(stored.iter().filter(|stored| **stored == Stored::New).count(), 1);
        assert_eq!(outbox.all().await.unwrap().len(), 1);
    }
}

#[tokio::test]
async fn what_was_written_comes_back_letter_by_letter() {
    let words =
        "Zoë says: \"30 € & <b>ok</b>?\"\n\n\t\u{1F3AE} 游戏 \u{202B}שלום\u{202C}; DROP TABLE--'";
    for database in Database::both().await {
        let outbox = Outbox::new(&database.url).unwrap();
        outbox.store(&message("Zoë 李", words), Some("too quick"), HOST).await.unwrap();
        let [kept] = &outbox.all().await.unwrap()[..] else { panic!("one message") };
        assert_eq!((kept.name.as_str(), kept.message.as_str()), ("Zoë 李", words));
        assert_eq!((kept.suspicion.as_str(), kept.state), ("too quick", State::Pending));
        assert!(
            kept.message_id.starts_with('<') && kept.message_id.ends_with("@tickfleet.example>")
        );
        let found = outbox.find(&kept.submission_id).await.unwrap().unwrap();
        assert_eq!(found.message_id, kept.message_id);
    }
}

#[tokio::test]
async fn whoever_holds_the_lease_is_alone_until_it_ends() {
    for database in Database::both().await {
        let outbox = Outbox::new(&database.url).unwrap();
        outbox.store(&message("Ada", "Hello"), None, HOST).await.unwrap();
        let now = Timestamp::now();
        let first = outbox.claim(now).await.unwrap().unwrap();
        assert!(outbox.claim(now).await.unwrap().is_none());
        let end = later(now, LEASE);
        let before = end.checked_sub(Span::new().milliseconds(2)).unwrap();
        assert!(outbox.claim(before).await.unwrap().is_none());
        let second = outbox.claim(end).await.unwrap().unwrap();
        assert_eq!((second.attempts, &second.message_id), (2, &first.message_id));
        // The first one comes back too late: nothing that it says counts.
        assert!(!outbox.sent(&first, end).await.unwrap());
        outbox.failed(&first, None, "too late").await.unwrap();
        outbox.delivered(&first, true, "", end).await.unwrap();
        let kept = outbox.find(&first.submission_id).await.unwrap().unwrap();
        assert_eq!((kept.state, kept.sent, kept.acknowledged), (State::Pending, false, false));
        assert!(outbox.sent(&second, end).await.unwrap());
    }
}

#[tokio::test]
async fn many_claims_at_once_give_each_message_to_one() {
    for database in Database::both().await {
        let outbox = Outbox::new(&database.url).unwrap();
        for number in 0..20 {
            outbox.store(&message("Ada", &number.to_string()), None, HOST).await.unwrap();
        }
        let now = Timestamp::now();
        let claims = (0..30).map(async |_| outbox.claim(now).await.unwrap());
        let claimed = futures_util::future::join_all(claims).await;
        let mut words: Vec<_> = claimed
            .into_iter()
            .flatten()
            .map(|kept| kept.message.parse::<u32>().unwrap())
            .collect();
        words.sort_unstable();
        assert_eq!(words, (0..20).collect::<Vec<_>>());
    }
}

#[tokio::test]
async fn only_what_was_delivered_so_long_ago_is_deleted() {
    for database in Database::both().await {
        let outbox = Outbox::new(&database.url).unwrap();
        let now = Timestamp::now();
        let days = |days: i64| now.checked_sub(Span::new().hours(24 * days)).unwrap();
        for (words, delivered) in [("old", Some(31)), ("young", Some(29)), ("waiting", None)] {
            outbox.store(&message("Ada", words), None, HOST).await.unwrap();
            let lease = outbox.claim(Timestamp::now()).await.unwrap().unwrap();
            if let Some(age) = delivered {
                assert!(outbox.sent(&lease, days(age)).await.unwrap());
                outbox.delivered(&lease, true, "", days(age)).await.unwrap();
            }
        }
        outbox.store(&message("Ada", "dead"), None, HOST).await.unwrap();
        let lease = outbox.claim(Timestamp::now()).await.unwrap().unwrap();
        outbox.failed(&lease, None, "refused").await.unwrap();
        assert_eq!(outbox.delete_delivered_before(days(30)).await.unwrap(), 1);
        let mut left: Vec<_> =
            outbox.all().await.unwrap().into_iter().map(|kept| kept.message).collect();
        left.sort();
        assert_eq!(left, ["dead", "waiting", "young"]);
    }
}

#[tokio::test]
async fn a_deleted_message_is_gone() {
    for database in Database::both().await {
        let outbox = Outbox::new(&database.url).unwrap();
        outbox.store(&message("Ada", "Forget me"), None, HOST).await.unwrap();
        let id = outbox.all().await.unwrap()[0].submission_id.clone();
        assert!(outbox.delete(&id).await.unwrap());
        assert!(!outbox.delete(&id).await.unwrap());
        assert!(outbox.all().await.unwrap().is_empty());
    }
}

#[tokio::test]
async fn opening_again_keeps_everything() {
    for database in Database::both().await {
        let outbox = Outbox::new(&database.url).unwrap();
        outbox.store(&message("Ada", "Hello"), None, HOST).await.unwrap();
        outbox.close().await;
        let outbox = Outbox::new(&database.url).unwrap();
        assert_eq!(outbox.all().await.unwrap().len(), 1);
    }
}

/// What a process that is killed can't show: that the words outlive the machine's power, too.
#[tokio::test]
async fn a_commit_reaches_the_disk_before_it_is_reported() {
    let sqlite = Database::sqlite();
    let pool = outbox::pool(&sqlite.url).unwrap();
    for _ in 0..5 {
        let row = pool.fetch_one("PRAGMA synchronous").await.unwrap();
        assert_eq!(row.get::<i64, _>(0), 2, "FULL");
    }
    let postgres = Database::postgres().await;
    let pool = outbox::pool(&postgres.url).unwrap();
    let role = "ALTER ROLE postgres IN DATABASE";
    let name = postgres.url.split(['/', '?']).nth(3).unwrap();
    let set = format!("{role} {name} SET synchronous_commit = off");
    pool.execute(sqlx::AssertSqlSafe(set)).await.unwrap();
    pool.close().await;
    let pool = outbox::pool(&postgres.url).unwrap();
    let row = pool.fetch_one("SHOW synchronous_commit").await.unwrap();
    assert_eq!(row.get::<String, _>(0), "on");
}

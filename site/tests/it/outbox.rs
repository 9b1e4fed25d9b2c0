//! What is stored, on both databases.

use std::{fs, os::unix::fs::PermissionsExt, pin::pin, time::Duration};

use futures_util::TryStreamExt;
use jiff::Timestamp;
use site::{
    contact::outbox::{self, LEASE, Outbox, State, Stored},
    form::ContactField,
};
use sqlx::{Executor, Row};
use tempfile::TempDir;
use tokio::time::timeout;

use crate::support::{message, postgres::Database, stored};

const HOST: &str = "tickfleet.example";

#[tokio::test]
async fn a_message_that_is_stored_by_twenty_at_once_is_stored_once() {
    for database in Database::both().await {
        let outbox = Outbox::new(&database.url).unwrap();
        let posts = (0..20)
            .map(async |_| outbox.store(&message("Ada", "Hello"), None, HOST).await.unwrap());
        let outcomes = futures_util::future::join_all(posts).await;
        assert_eq!(outcomes.iter().filter(|outcome| **outcome == Stored::New).count(), 1);
        assert_eq!(stored(&outbox).await.len(), 1);
    }
}

#[tokio::test]
async fn what_was_written_comes_back_letter_by_letter() {
    let words =
        "Zoë says: \"30 € & <b>ok</b>?\"\n\n\t\u{1F3AE} 游戏 \u{202B}שלום\u{202C}; DROP TABLE--'";
    for database in Database::both().await {
        let outbox = Outbox::new(&database.url).unwrap();
        outbox.store(&message("Zoë 李", words), Some("too quick"), HOST).await.unwrap();
        let [kept] = &stored(&outbox).await[..] else { panic!("one message") };
        assert_eq!((kept.name(), kept.text().as_str()), ("Zoë 李", words));
        for field in ContactField::all() {
            assert_eq!(kept.fields[field], message("Zoë 李", words).fields()[field], "{field:?}");
        }
        assert_eq!((kept.suspicion.as_str(), kept.state), ("too quick", State::Pending));
        assert!(
            kept.message_id.starts_with('<') && kept.message_id.ends_with("@tickfleet.example>")
        );
        let found = outbox.find(&kept.submission_id).await.unwrap().remove(0);
        assert_eq!(found.message_id, kept.message_id);
    }
}

/// A machine's own clock has no say: the outbox takes no time from its callers.
#[tokio::test]
async fn times_are_the_databases_in_milliseconds_since_1970() {
    for database in Database::both().await {
        let outbox = Outbox::new(&database.url).unwrap();
        outbox.store(&message("Ada", "Hello"), None, HOST).await.unwrap();
        #[expect(
            clippy::disallowed_methods,
            reason = "in a test the database runs on this machine"
        )]
        let now = Timestamp::now();
        let kept = outbox.claim().await.unwrap().unwrap();
        let age = now.duration_since(kept.received_at).unsigned_abs();
        assert!(age < Duration::from_secs(10), "{age:?}");

        assert!(outbox.sent(&kept).await.unwrap());
        outbox.failed(&kept, Some(Duration::from_secs(90)), "busy").await.unwrap();
        database.let_pass(Duration::from_secs(80)).await;
        assert!(outbox.claim().await.unwrap().is_none());
        database.let_pass(Duration::from_secs(10)).await;
        let again = outbox.claim().await.unwrap().unwrap();
        assert!(again.sent && !again.acknowledged);
        outbox.delivered(&again, true, "").await.unwrap();
        let [kept] = &stored(&outbox).await[..] else { panic!("one message") };
        assert!(kept.acknowledged);
    }
}

#[tokio::test]
async fn a_row_that_the_outbox_never_wrote_is_an_error() {
    for change in ["state = 'lost'", "attempts = -1", "received_at = 9223372036854775807"] {
        let database = Database::sqlite();
        let outbox = Outbox::new(&database.url).unwrap();
        outbox.store(&message("Ada", "Hello"), None, HOST).await.unwrap();
        let change = sqlx::AssertSqlSafe(format!("UPDATE messages SET {change}"));
        database.connect().await.execute(change).await.unwrap();
        assert!(pin!(outbox.all()).try_next().await.is_err());
    }
}

#[tokio::test]
async fn whoever_holds_the_lease_is_alone_until_it_ends() {
    for database in Database::both().await {
        let outbox = Outbox::new(&database.url).unwrap();
        outbox.store(&message("Ada", "Hello"), None, HOST).await.unwrap();
        let first = outbox.claim().await.unwrap().unwrap();
        assert!(outbox.claim().await.unwrap().is_none());
        let rest = Duration::from_secs(5);
        database.let_pass(LEASE.checked_sub(rest).unwrap()).await;
        assert!(outbox.claim().await.unwrap().is_none());
        database.let_pass(rest).await;
        let second = outbox.claim().await.unwrap().unwrap();
        assert_eq!((second.attempts, &second.message_id), (2, &first.message_id));
        // The first one comes back too late: nothing that it says counts.
        assert!(!outbox.sent(&first).await.unwrap());
        outbox.failed(&first, None, "too late").await.unwrap();
        outbox.delivered(&first, true, "").await.unwrap();
        let kept = outbox.find(&first.submission_id).await.unwrap().remove(0);
        assert_eq!((kept.state, kept.sent, kept.acknowledged), (State::Pending, false, false));
        assert!(outbox.sent(&second).await.unwrap());
    }
}

#[tokio::test]
async fn many_claims_at_once_give_each_message_to_one() {
    for database in Database::both().await {
        let outbox = Outbox::new(&database.url).unwrap();
        for number in 0..20 {
            outbox.store(&message("Ada", &number.to_string()), None, HOST).await.unwrap();
        }
        let claims = (0..30).map(async |_| outbox.claim().await.unwrap());
        let claimed = futures_util::future::join_all(claims).await;
        let mut words: Vec<_> =
            claimed.into_iter().flatten().map(|kept| kept.text().parse::<u32>().unwrap()).collect();
        words.sort_unstable();
        assert_eq!(words, (0..20).collect::<Vec<_>>());
    }
}

#[tokio::test]
async fn only_what_arrived_so_long_ago_is_deleted_and_never_what_is_still_to_be_mailed() {
    for database in Database::both().await {
        let outbox = Outbox::new(&database.url).unwrap();
        let days = |days: u64| Duration::from_hours(24 * days);
        for (words, delivered) in [("delivered", true), ("dead", false)] {
            outbox.store(&message("Ada", words), None, HOST).await.unwrap();
            let lease = outbox.claim().await.unwrap().unwrap();
            if delivered {
                assert!(outbox.sent(&lease).await.unwrap());
                outbox.delivered(&lease, true, "").await.unwrap();
            } else {
                outbox.failed(&lease, None, "refused").await.unwrap();
            }
        }
        outbox.store(&message("Ada", "waiting"), None, HOST).await.unwrap();
        sqlx::query("UPDATE messages SET received_at = received_at - $1")
            .bind(i64::try_from(days(31).as_millis()).unwrap())
            .execute(&mut database.connect().await)
            .await
            .unwrap();
        outbox.store(&message("Ada", "young"), None, HOST).await.unwrap();
        let left = async || {
            let all = stored(&outbox).await.into_iter().map(|kept| kept.text());
            all.collect::<Vec<_>>()
        };
        assert_eq!(outbox.delete_old(days(30), true).await.unwrap(), 2);
        assert_eq!(left().await, ["young", "waiting"]);
        assert_eq!(outbox.delete_old(days(30), false).await.unwrap(), 1);
        assert_eq!(left().await, ["young"]);
    }
}

#[tokio::test]
async fn a_deleted_message_is_gone() {
    for database in Database::both().await {
        let outbox = Outbox::new(&database.url).unwrap();
        outbox.store(&message("Ada", "Forget me"), None, HOST).await.unwrap();
        let id = stored(&outbox).await[0].submission_id.clone();
        assert!(outbox.delete(&id).await.unwrap());
        assert!(!outbox.delete(&id).await.unwrap());
        assert!(stored(&outbox).await.is_empty());
        if let Some(file) = database.file() {
            let file = String::from_utf8_lossy(&fs::read(file).unwrap()).into_owned();
            assert!(!file.contains("Forget me"), "what was deleted can still be read in the file");
        }
    }
}

#[tokio::test]
async fn beyond_the_limit_the_oldest_suspected_messages_make_room() {
    for database in Database::both().await {
        let outbox = Outbox::new(&database.url).unwrap();
        for number in 0..6 {
            let suspicion = (number % 2 == 0).then_some("a flood");
            outbox.store(&message("Ada", &number.to_string()), suspicion, HOST).await.unwrap();
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
        assert_eq!(outbox.make_room(2).await.unwrap(), 1);
        assert_eq!(outbox.make_room(2).await.unwrap(), 0);
        let left: Vec<_> = stored(&outbox).await.into_iter().map(|kept| kept.text()).collect();
        assert_eq!(left, ["5", "4", "3", "2", "1"]);
    }
}

/// An operator who moves it away is not told to restart the site as well.
#[tokio::test]
async fn a_file_that_can_be_no_outbox_is_let_go_for_one_that_can() {
    let database = Database::sqlite();
    let file = database.file().unwrap();
    database.connect().await.execute("CREATE TABLE messages (other TEXT)").await.unwrap();
    let outbox = Outbox::new(&database.url).unwrap();
    outbox.store(&message("Ada", "Too early"), None, HOST).await.unwrap_err();
    fs::rename(&file, file.with_extension("foreign")).unwrap();
    outbox.store(&message("Ada", "Hello"), None, HOST).await.unwrap();
    assert_eq!(stored(&outbox).await.len(), 1);
}

#[tokio::test]
async fn an_address_names_its_file_as_the_driver_reads_it() {
    let folder = TempDir::new().unwrap();
    let url = format!("sqlite://{}/my%20state/contact.db?mode=rwc", folder.path().display());
    let outbox = Outbox::new(&url).unwrap();
    outbox.store(&message("Ada", "Hello"), None, HOST).await.unwrap();
    let file = folder.path().join("my state/contact.db");
    assert_eq!(fs::metadata(file).unwrap().permissions().mode() & 0o777, 0o600);
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
}

#[tokio::test]
async fn a_database_is_known_by_its_table_of_messages() {
    for database in Database::both().await {
        let asked = || async { Outbox::new(&database.url).unwrap().open_existing().await };
        let error = asked().await.unwrap_err().to_string();
        assert!(error.starts_with("there are no messages"), "{error}");
        Outbox::new(&database.url).unwrap().open().await.unwrap();
        asked().await.unwrap();
    }
}

#[tokio::test]
async fn opening_again_keeps_everything() {
    for database in Database::both().await {
        let outbox = Outbox::new(&database.url).unwrap();
        outbox.store(&message("Ada", "Hello"), None, HOST).await.unwrap();
        outbox.close().await;
        let outbox = Outbox::new(&database.url).unwrap();
        assert_eq!(stored(&outbox).await.len(), 1);
    }
}

/// What a process that is killed can't show: that the words outlive the machine's power, too.
#[tokio::test]
async fn a_commit_reaches_the_disk_before_it_is_reported() {
    let sqlite = Database::sqlite();
    let pool = outbox::pool(&sqlite.url).unwrap();
    for _ in 0..5 {
        let row = pool.fetch_one("PRAGMA synchronous").await.unwrap();
        assert_eq!(row.get::<i64, _>(0), 3, "EXTRA");
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

/// Messages cross a network to PostgreSQL: only where its certificate is trusted, if one asks for that.
#[tokio::test]
async fn a_connection_to_postgresql_is_encrypted_where_the_server_can() {
    let (url, certificate) = Database::over_tcp();
    let trusting = format!("{url}?sslmode=verify-full&sslrootcert={}", certificate.display());
    for url in [&url, &trusting] {
        let pool = outbox::pool(url).unwrap();
        let encrypted = "SELECT ssl FROM pg_stat_ssl WHERE pid = pg_backend_pid()";
        assert!(pool.fetch_one(encrypted).await.unwrap().get::<bool, _>(0), "{url}");
    }
    for refused in
        [format!("{url}?sslmode=verify-full"), trusting.replace("localhost", "127.0.0.1")]
    {
        let error = outbox::pool(&refused).unwrap().acquire().await.unwrap_err();
        assert!(error.to_string().contains("certificate"), "{error}");
    }
}

/// The lock under which the tables are made holds for all machines.
#[tokio::test]
async fn whoever_gives_up_waiting_for_the_tables_locks_nobody_out() {
    let database = Database::postgres().await;
    let mut beside = database.connect().await;
    // As long as somebody else is about to make this table, nobody else can.
    beside.execute("BEGIN; CREATE TABLE _sqlx_migrations (version BIGINT)").await.unwrap();
    let impatient = Outbox::new(&database.url).unwrap();
    let given_up = timeout(Duration::from_millis(500), impatient.census()).await;
    assert!(given_up.is_err(), "{given_up:?}");
    beside.execute("ROLLBACK").await.unwrap();
    let other = Outbox::new(&database.url).unwrap();
    timeout(Duration::from_secs(10), other.open()).await.expect("the lock is free").unwrap();
}

/// An upgrade can be taken back: migrations only add.
#[tokio::test]
async fn a_database_that_a_later_release_has_used_still_takes_messages() {
    for database in Database::both().await {
        let outbox = Outbox::new(&database.url).unwrap();
        outbox.store(&message("Ada", "Before"), None, HOST).await.unwrap();
        outbox.close().await;
        for later in [
            "ALTER TABLE messages ADD COLUMN later TEXT NOT NULL DEFAULT ''",
            "INSERT INTO _sqlx_migrations (version, description, success, checksum, execution_time) \
             SELECT 9999, 'later', success, checksum, 0 FROM _sqlx_migrations WHERE version = 1",
        ] {
            database.connect().await.execute(later).await.unwrap();
        }
        let outbox = Outbox::new(&database.url).unwrap();
        outbox.store(&message("Ada", "After"), None, HOST).await.unwrap();
        assert_eq!(stored(&outbox).await.len(), 2);
    }
}

#[tokio::test]
async fn a_message_that_is_answered_while_it_is_sent_is_not_sent_again() {
    for database in Database::both().await {
        let outbox = Outbox::new(&database.url).unwrap();
        outbox.store(&message("Ada", "Hello"), None, HOST).await.unwrap();
        let lease = outbox.claim().await.unwrap().unwrap();
        assert!(outbox.answered(&lease.submission_id, true).await.unwrap());
        outbox.failed(&lease, Some(Duration::ZERO), "refused").await.unwrap();
        assert!(outbox.claim().await.unwrap().is_none());
        // Nor where a suspicion is taken from one that was answered.
        outbox.store(&message("Bob", "Hello"), Some("a machine"), HOST).await.unwrap();
        let suspected = outbox.claim_suspected().await.unwrap().unwrap();
        assert!(outbox.answered(&suspected.submission_id, true).await.unwrap());
        assert!(outbox.release(&suspected.submission_id).await.unwrap());
        assert!(outbox.claim().await.unwrap().is_none());
        outbox.delivered(&suspected, false, "").await.unwrap();
        assert!(outbox.claim().await.unwrap().is_none());
    }
}

#[tokio::test]
async fn a_dead_message_whose_mark_is_taken_back_has_all_attempts_before_it() {
    for database in Database::both().await {
        let outbox = Outbox::new(&database.url).unwrap();
        outbox.store(&message("Ada", "Hello"), None, HOST).await.unwrap();
        let dead = "UPDATE messages SET state = 'dead', attempts = 16";
        database.connect().await.execute(dead).await.unwrap();
        let id = stored(&outbox).await.remove(0).submission_id;
        for answered in [true, false] {
            assert!(outbox.answered(&id, answered).await.unwrap());
        }
        assert_eq!(outbox.claim().await.unwrap().unwrap().attempts, 1);
    }
}

#[tokio::test]
async fn a_mark_that_nobody_set_changes_nothing_where_it_is_taken_back() {
    for database in Database::both().await {
        let outbox = Outbox::new(&database.url).unwrap();
        outbox.store(&message("Ada", "Hello"), None, HOST).await.unwrap();
        let lease = outbox.claim().await.unwrap().unwrap();
        outbox.failed(&lease, None, "refused").await.unwrap();
        assert!(outbox.answered(&lease.submission_id, false).await.unwrap());
        assert_eq!(stored(&outbox).await[0].state, State::Dead);
    }
}

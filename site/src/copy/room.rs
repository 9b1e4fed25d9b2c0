//! The words of the room that visitors can use.

use super::toml::tables;

tables! {
    /// The room's words. In braces stands what takes the place of a name or a figure.
    RoomCopy {
        /// Locks the room: nobody can join.
        lock: String,
        /// Lets time pass.
        run: String,
        /// Stops time.
        pause: String,
        /// Begins the room anew.
        restart: String,
        /// Before the tick's number.
        tick: String,
        /// What the room does.
        states: RoomStates,
        /// After the number 1.
        player: String,
        /// After any other number of players.
        players: String,
        /// Beside the slider, with `{count}` and `{capacity}`.
        places: String,
        /// Before the milliseconds of a tick.
        work: String,
        /// What an hour weighs, with `{megabytes}`.
        hour: String,
        /// The address where that leads, with `{count}` players and `{rate}` in kB/s for each.
        estimate: String,
        /// The names of the panes.
        panes: RoomPanes,
        /// Removes a player.
        kick: String,
        /// Lets a player in again.
        let_in: String,
        /// Stands over the players' names.
        present: String,
        /// In an empty place.
        free: String,
        /// The spread of round-trip times, with `{p50}` and `{p95}` in milliseconds.
        round_trip: String,
        /// Over the owners of objects.
        owner: String,
        /// After what the server sends: `out`.
        sent: String,
        /// After what the server receives: `in`.
        received: String,
        /// The row of lesser objects, with `{count}`.
        more: String,
        /// The row of what is no object.
        overhead: String,
        /// The row of the sum.
        total: String,
        /// The kinds of messages.
        filters: RoomFilters,
        /// Where the log has no message of the chosen kind.
        none: String,
        /// The log's line about somebody who found the room locked.
        refused: String,
        /// Under the console.
        caption: String,
        /// What is announced after an action, with `{name}`, `{what}`, `{count}` and `{rate}`.
        status: String,
        /// What has happened to a player or the room.
        what: RoomEvents,
    }

    /// What a room does.
    RoomStates {
        /// It is being started.
        starting: String,
        /// It can be joined.
        open: String,
        /// It runs.
        live: String,
    }

    /// The names of the console's panes.
    RoomPanes {
        /// The players.
        players: String,
        /// The objects.
        objects: String,
        /// The messages.
        log: String,
    }

    /// The kinds of messages.
    RoomFilters {
        /// Every kind.
        all: String,
        /// Snapshots of the room.
        snapshots: String,
        /// What players do.
        inputs: String,
        /// Remote calls.
        calls: String,
    }

    /// What has happened to a player or the room.
    RoomEvents {
        /// A player was removed.
        kicked: String,
        /// A player was let in again.
        let_in: String,
        /// A player found the room locked.
        refused: String,
        /// The room was locked.
        locked: String,
        /// The room was unlocked.
        unlocked: String,
        /// Time passes.
        running: String,
        /// Time stands still.
        paused: String,
    }
}

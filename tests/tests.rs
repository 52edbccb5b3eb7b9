//! The index of what is tested across crates; the cases are data in `tests/fixtures` and in the packs themselves.

// Tests set up and look at files of their own.
#![allow(clippy::disallowed_methods)]

// A pack with only what it needs.
mod alone;
// Packs, scripts, saves and calls that mean harm, each in a process of its own.
#[cfg(target_os = "linux")]
mod attacks;
// Windows for answers, and pieces that are out of the game.
mod away;
// The documentation: its contents, its links, and that every block is run.
mod book;
// Boards of several shapes, and whose the pieces on them are.
mod boards;
// What bots know and how well they play.
mod bots;
// Types from lists, sorted hands, decks that renew themselves, actions that go first.
mod cards;
// One budget for each answer.
mod budget;
// What people type and what they read: help, formats, exit codes.
mod cli;
// A running game under changed rules.
mod carry;
// Who wins, and in which order players are gone through.
mod ends;
// What must hold of any pack, and that whatever is broken is noticed.
mod conformance;
mod corpus;
// Every way in which a pack, a save or a call can be wrong, with the message that it gets.
mod bad_input;
// The small games stay small.
mod gallery;
// Commands that change the files of a pack.
mod editing;
// Programs that use the library.
mod examples;
// Packs that build on other packs.
mod expansions;
// What is read and what is written: nothing outside a library, nothing that somebody else wrote, nothing in part.
mod files;
// Libraries out of repositories of git.
mod fetch;
// Inputs of the fuzzers, a fixed number of them.
mod fuzzing;
// Work that grows with the table, and not faster.
mod growth;
// Damaged packs are refused or played, never a crash.
mod hidden;
mod hostile;
// Effects inside effects, and lines of pieces.
mod inside;
// Games that are killed at any moment.
#[cfg(target_os = "linux")]
mod kills;
// What the program itself says, in every language that it speaks.
#[cfg(target_os = "linux")]
mod languages;
// Completions, manual pages, the version, the files of releases.
mod install;
// A changed card or script shows in the next game, with the same program.
mod live_edit;
// Effects, phases and free actions that come back to an earlier position.
mod loops;
// What Lua scripts can call, and the page about it.
mod lua_api;
// Sets of cards that are added to a shipped game from outside.
mod modders;
// Free actions at every question of a turn.
mod moments;
// What is said about texts that people write by habit.
mod messages;
// Small changes of a pack, and which of them its scenarios notice.
mod mutate;
// Games without shortcuts of the kernel, and shortcuts that are wrong on purpose.
mod oracle;
// Cards on paper.
mod paper;
// Scenarios that say what is not so.
mod planted;
// Numbers that are too large.
mod numbers;
// The first, the last and the top of a zone.
mod order;
// The project file, found from the current folder upwards.
mod project;
// Positions of games as scenarios.
mod positions;
// What must hold of every pack, with tests of its own.
mod properties;
// What packs say is neither dropped nor cut short.
mod quiet;
// Whatever a game comes to can be saved and loaded.
mod reach;
// Nothing stands in two packs.
mod repeats;
// Nothing that is read is missing in the reference, and nothing in it is not read.
mod reference;
// Logs of every shipped game, played again.
mod replays;
// What chance depends on, and games that nobody loses.
mod saves;
// What players must not learn.
mod secrets;
// Two small games against the same games without an engine.
mod small;
// Starts for authors, which pass everything at once.
mod starts;
// Stock on pieces, ways between spaces, standing rules, hidden pieces, kinds of kinds.
mod stock;
// Games that other programs play, line by line.
mod serve;
// The reference of a pack as pages.
mod site;
// A slip of the finger has one message.
mod slips;
// Sets that are chosen from, combined and named.
mod sets;
// Choices of several things.
mod several;
// Simulations in parts on several machines.
mod shards;
// How the tests call the program.
mod support;
// Findings in the formats that CI reads, and what may stay.
mod reports;
// The server for editors, and the schemas of files.
mod lsp;
// What `test`, `sim` and their likes report.
mod results;
// One fixed game of every way to play, by names: no rule changes unnoticed.
mod digests;
// Undo, fork, replay: back and forth in time, in little memory.
mod travel;
// What packs and files say never steers a terminal or a CI system.
mod terminal;
// Players who choose at the same time.
mod together;
// Games that change threads.
mod threads;
// What the log tells, and in which order.
mod told;
// The tutorials, followed to the letter.
mod tutorials;
// Whose turn it is.
mod turns;
// How much packs, scripts, libraries and files may hold, and work that grows with them and not faster.
mod volume;
// Tables in a browser.
mod web;
// How much the kernel has to do in fixed games.
mod work;
// Why something is not offered.
mod why;
// No word of any game in the engine.
mod words;
// Packs that are edited while they are played.
#[cfg(target_os = "linux")]
mod watch;

//! Limits: a script that runs away is stopped, and the host goes on.

use rulepack_kernel::{EffectHost, Value};

use super::harbor::*;

/// Fails with this message, and the same host then still works.
#[track_caller]
fn stopped(body: &str, message: &str) {
    let text = format!(
        "function f.go(ctx)\n{body}\nend\nfunction f.fine(ctx)\n  local l = {{}}\n  for i = 1, 100 do l[i] = i end\n  return #l\nend"
    );
    let table = Table::new(&["go", "fine"], &text);
    for _ in 0..3 {
        let fault = table.go().expect_err("it is stopped");
        assert!(fault.message.starts_with(message), "{fault}");
        assert!(fault.script.as_deref().is_some_and(|place| place.starts_with("scripts/harbor/f.lua:")));
        table.refill();
        let fine = table.start_with(1, &[]);
        assert_eq!(table.resume(fine, Value::Nil), Ok(Progress::Done(Value::Int(100))));
        table.refill();
    }
    let fault = table.query().expect_err("it is stopped");
    assert!(fault.message.starts_with(message), "{fault}");
}

const LONG: &str = "scripts took more than 200000 steps before the next question (limit `script_steps`)";
const MEMORY: &str = "the script used too much memory";

#[test]
fn endless_loops() {
    stopped("while true do end", LONG);
    stopped("repeat local x = 1 until false", LONG);
    stopped("for _ = 1, math.huge do end", LONG);
    stopped("while true do ctx:filter({1}, function() while true do end end) end", LONG);
    stopped("table.sort({1, 2, 3}, function() while true do end end)", LONG);
    stopped("for _ = 1, 1e9 do local _ = ctx:pieces('deck') end", LONG);
}

#[test]
fn work_that_the_vm_does_not_count() {
    stopped("local l = {} for i = 1, 20000 do l[i] = i end while true do table.insert(l, 1, 0) end", LONG);
    stopped("local l = {} for i = 1, 20000 do l[i] = i end while true do table.sort(l) end", LONG);
    stopped("local s = 'xxxxxxxx' for _ = 1, 12 do s = s .. s end while true do local _ = s:match('^x*$') end", LONG);
    stopped("local s = 'xxxxxxxx' for _ = 1, 12 do s = s .. s end while true do local _ = s:upper() end", MEMORY);
    stopped("local s = 'xxxxxxxxxxxxxxxx' s = s .. s return s:match('x*x*x*x*x*x*x*x*x*y')", LONG);
}

#[test]
fn memory() {
    stopped("local s = 'rope' while true do s = s .. s end", "the script");
    stopped("local l = {} while true do l = {l, l, l, l} end", LONG);
    stopped(
        "local s = 'rope' for _ = 1, 12 do s = s .. s end local l = {} for i = 1, 5000 do l[i] = s end return table.concat(l)",
        MEMORY,
    );
}

#[test]
fn recursion() {
    stopped("local function dive() return 1 + dive() end return dive()", "the script calls itself too deeply");
    stopped("local function dive() return ctx:any({1}, dive) end return dive()", "the script calls itself too deeply");
    stopped(
        "local function dive() return (('x'):gsub('x', dive)) end return dive()",
        "the script calls itself too deeply",
    );
}

/// A call that handles much data costs steps by its size, even if the VM counts a single step.
#[test]
fn size_counts() {
    // Sixteen thousand characters.
    let long = "local s = 'xxxxxxxx' for _ = 1, 11 do s = s .. s end";
    // Balanced brackets that never end: from each `(` to the end of the text.
    stopped("local s = '((((((((' for _ = 1, 11 do s = s .. s end return s:match('%b()')", LONG);
    // A set as long as the text, gone through for each character.
    stopped(&format!("{long} local set = '[' .. s:gsub('x', 'y') .. ']*z' return s:match(set)"), LONG);
    stopped(&format!("{long} for _ in s:gmatch('[' .. s .. ']-z') do end"), LONG);
    // Texts that differ only at their end.
    let list = "local l = {} for i = 1, 900 do l[i] = s .. (i % 7) end";
    stopped(&format!("{long} {list} while true do table.sort(l) end"), LONG);
    stopped(&format!("{long} local t, u = s .. 'a', s .. 'b' while true do local _ = t < u, t < u, t < u end"), LONG);
    stopped(&format!("{long} while true do local _ = s .. 'a' end"), MEMORY);
    stopped(&format!("{long} local l = {{}} for i = 1, 90 do l[i] = s end while true do table.concat(l) end"), "");
    stopped(
        "local l = {} for i = 1, 300 do l[i] = i end return (select('#', unpack(l)))",
        "`unpack` gives at most 250",
    );
    stopped("return unpack({}, 1, 100000)", "`unpack` gives at most 250");
    stopped("while true do unpack({}, 1, 240) end", LONG);
    // Arguments that become more with every call.
    let grow = "local function grow(n, ...) if n > 0 then return grow(n - 1, 1, 2, 3, 4, 5, 6, 7, 8, ...) end";
    stopped(&format!("{grow} while true do local _ = select('#', ...) end end grow(9000)"), "");
    stopped("return ('x'):rep(9)", "a text has no `rep`");
}

/// The budget belongs to the answer, not to a call: a request to the kernel does not fill it.
#[test]
fn there_is_one_budget_until_the_next_question() {
    let table = Table::body("for _ = 1, 5 do\n  for _ = 1, 90000 do end\n  ctx:shuffle('deck')\nend");
    let run = table.start();
    for _ in 0..2 {
        let progress = table.resume(run, Value::Nil);
        assert!(matches!(progress, Ok(Progress::Request(_))), "{progress:?}");
    }
    let fault = table.resume(run, Value::Nil).expect_err("the third time it is too much");
    assert_eq!(fault.message, LONG);
    assert_eq!(fault.script.as_deref(), Some("scripts/harbor/f.lua:4"));
    // Another script, or a query, has nothing left either.
    assert_eq!(table.query().expect_err("nothing is left").message, LONG);
    assert_eq!(table.host.take_fault().expect("the kernel is told").message, LONG);
    // A question fills it.
    table.refill();
    let run = table.start();
    for _ in 0..5 {
        let progress = table.resume(run, Value::Nil);
        assert!(matches!(progress, Ok(Progress::Request(_))), "{progress:?}");
        table.refill();
    }
    assert_eq!(table.resume(run, Value::Nil), Ok(Progress::Done(Value::Nil)));
}

/// The same calls take the same number of steps and of bytes, whatever ran in the host before.
#[test]
fn the_count_is_the_same_in_every_host() {
    let body =
        "local l = {} for i = 1, 200 do l[i] = ('%d-%d'):format(i, i * 7) end\ntable.sort(l)\nreturn #table.concat(l)";
    let spent = |table: &Table| {
        table.refill();
        table.go().expect("it is little");
        table.state().script_budget()
    };
    let fresh = spent(&Table::body(body));
    let table = Table::body(body);
    for _ in 0..50 {
        assert_eq!(spent(&table).steps, fresh.steps);
        // Texts that are still there are not made again.
        assert!(spent(&table).memory >= fresh.memory);
    }
    assert!(fresh.steps > 190_000, "{fresh:?}");
}

//! Limits: a script that runs away is stopped, and the host goes on.

use rulepack_kernel::{Progress, Value};

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
        let fine = table.start_with(1, &[]);
        assert_eq!(table.resume(fine, Value::Nil), Ok(Progress::Done(Value::Int(100))));
    }
    let fault = table.query().expect_err("it is stopped");
    assert!(fault.message.starts_with(message), "{fault}");
}

const LONG: &str = "the script ran too long or gathered too much (more than 200000 steps)";
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
    stopped("local s = 'xxxxxxxx' for _ = 1, 12 do s = s .. s end while true do local _ = s:upper() end", LONG);
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

#[test]
fn every_resume_has_its_own_budget() {
    let table = Table::body("for _ = 1, 5 do\n  for _ = 1, 150000 do end\n  ctx:pause()\nend");
    let run = table.start();
    for _ in 0..5 {
        assert!(matches!(table.resume(run, Value::Nil), Ok(Progress::Request(_))));
    }
    assert_eq!(table.resume(run, Value::Nil), Ok(Progress::Done(Value::Nil)));
}

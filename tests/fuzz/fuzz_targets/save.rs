#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| rulepack_fuzz::save(data));

//! From a JSON line to the new state, beside what skipping the same line costs. In rounds, as in measure.mjs: `cargo
//! xtask bench` takes the medians of the ratios.

#![allow(missing_docs, reason = "criterion's macros write functions without")]

#[path = "support/inputs.rs"]
#[allow(dead_code, reason = "each bench uses its part")]
mod inputs;

use std::hint::black_box;
use std::time::Duration;

use acp_client_state::{ClientState, Options};
use criterion::{BenchmarkId, Criterion, criterion_group, criterion_main};
use serde::de::IgnoredAny;

const ROUNDS: usize = 5;

fn skip(line: &str) {
    let _ = black_box(serde_json::from_str::<IgnoredAny>(black_box(line)));
}

fn lines(criterion: &mut Criterion) {
    for round in 0..ROUNDS {
        for (name, lines) in inputs::inputs() {
            let mut group = criterion.benchmark_group(name);
            let mut state = ClientState::new(Options::default());
            for line in &inputs::before() {
                state.received(line, 0.0);
            }
            let mut next = lines.iter().cycle();
            group.bench_function(BenchmarkId::new("new state", round), |bench| {
                bench.iter(|| next.next().map(|line| state.received(black_box(line), 0.0)));
            });
            let mut next = lines.iter().cycle();
            group.bench_function(BenchmarkId::new("skip", round), |bench| {
                bench.iter(|| next.next().map(|line| skip(line)));
            });
        }
    }
}

fn sessions(criterion: &mut Criterion) {
    let sessions = inputs::sessions();
    for round in 0..ROUNDS {
        let mut group = criterion.benchmark_group("recorded sessions");
        group.bench_function(BenchmarkId::new("new state", round), |bench| {
            bench.iter(|| {
                for lines in &sessions {
                    let mut state = ClientState::new(Options::default());
                    for (from_agent, line) in lines {
                        black_box(if *from_agent {
                            state.received(line, 0.0)
                        } else {
                            state.sent(line, 0.0)
                        });
                    }
                }
            });
        });
        group.bench_function(BenchmarkId::new("skip", round), |bench| {
            bench.iter(|| {
                for (_, line) in sessions.iter().flatten() {
                    skip(line);
                }
            });
        });
    }
}

criterion_group! {
    name = reducer;
    config = Criterion::default()
        .without_plots()
        .warm_up_time(Duration::from_millis(100))
        .measurement_time(Duration::from_millis(400))
        .sample_size(30)
        .nresamples(2000);
    targets = lines, sessions
}
criterion_main!(reducer);

//! What an agent is still doing, from what it said.

mod wire;

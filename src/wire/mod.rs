//! What agents and clients say, read into plain data. Knows the shapes of the protocol and no rules.

pub(crate) mod value;

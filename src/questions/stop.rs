//! What can be stopped one by one, and how? (section 9)

use super::Session;
use crate::answers::StopPlan;
use crate::event::StopTarget;

impl Session<'_> {
    /// The request that stops `target`, or why there is none (rules S1, J5). A pure look: `stop_sent`
    /// says that it was sent.
    #[must_use]
    pub fn stop_plan(&self, target: &StopTarget) -> StopPlan {
        self.session.plan_stop(target)
    }
}

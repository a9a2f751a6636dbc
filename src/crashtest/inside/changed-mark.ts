/** The word by which a plan is known that was changed after a person had read it. */
export const changedMark = "changed-after-reading";

/** The ways to have a cage. */

/** Best first; a rung is used when the ones before it are missing or fail their self-test (B1.11). */
export const rungNames = ["bubblewrap", "landlock-perl", "landlock-python", "sandbox-exec"] as const;
export type RungName = (typeof rungNames)[number];

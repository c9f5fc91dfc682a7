// A user's role on the platform.

/** An admin runs the platform: its settings, metrics, shared vendor accounts and users. A member uses it. */
export type Role = 'admin' | 'member'

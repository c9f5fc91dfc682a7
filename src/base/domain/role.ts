// A user's role on the platform.

/** Admins run the platform: its settings, metrics, shared vendor accounts and users. Members use it. */
export type Role = 'admin' | 'member'

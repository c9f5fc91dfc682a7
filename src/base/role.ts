// What a user may do on the platform, beside what is theirs.

/** An admin runs the platform: its settings, metrics, shared vendor accounts and users. A member uses it. */
export type Role = 'admin' | 'member'

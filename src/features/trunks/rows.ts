// Queries about trunk rows for other features.

/** A registration refresh in progress does not end the registration. */
export const isRegistered = ({ status, lastSeenAt }: { status: string; lastSeenAt: string | null }): boolean =>
  status === 'registered' || (status === 'registering' && lastSeenAt !== null)

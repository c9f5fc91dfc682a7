// The states of a call.

export const liveStatuses = ['initiating', 'ringing', 'in_progress', 'transferring'] as const
export const endStatuses = ['completed', 'failed', 'busy', 'no_answer', 'canceled'] as const

// Why a call-back was requested, and its state.

export const callbackReasons = ['no_model', 'requested'] as const
/**
 * `no_model`: no language model was left, and the message taker took a message; `requested`: the person asked for it.
 */
export type CallbackReason = (typeof callbackReasons)[number]

export const callbackStatuses = ['open', 'done', 'canceled'] as const
export type CallbackStatus = (typeof callbackStatuses)[number]

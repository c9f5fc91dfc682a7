// The name of a copy.

const MAX_LENGTH = 255

/** `name` is used if the client gives one, in the user's language. */
export const copyName = (original: string, name?: string): string =>
  name ?? `${original.slice(0, MAX_LENGTH - ' (copy)'.length)} (copy)`

// The SIP headers a user may add to calls: those that neither routing nor the dialog depends on.

const anyCase = (word: string): string => word.replace(/[a-z]/g, (letter) => `[${letter.toUpperCase()}${letter}]`)
const words = ['user-to-user', 'call-info', 'alert-info', 'diversion', 'subject', 'priority']

/** For JSON Schema, where a pattern cannot ignore case. */
export const FREE_HEADER = `^(?:[Xx]-[\\w.-]+|[Pp]-[\\w-]+|${words.map(anyCase).join('|')})$`
const freeHeader = new RegExp(FREE_HEADER)

export const isFreeHeader = (name: string): boolean => freeHeader.test(name)

export const freeHeadersOf = (given: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(Object.entries(given).filter(([name]) => isFreeHeader(name)))

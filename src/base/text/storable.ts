// Text that any database accepts: without NUL characters and lone surrogates.

/** Also trims white space at both ends. */
export const storable = (text: string): string => text.replaceAll('\0', '').toWellFormed().trim()

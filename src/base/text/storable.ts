// Text that any database accepts: without NUL characters and lone surrogates.

/** Also without white space at either end. */
export const storable = (text: string): string => text.replaceAll('\0', '').toWellFormed().trim()

// The Content-Disposition of a download.

/** RFC 6266: an ASCII name for old clients, plus the real one. */
export function attachment(name: string, format: string): string {
  const plain =
    name
      .normalize('NFD')
      .replace(/[^\w .()-]+/g, '')
      .trim() || 'file'
  const whole = encodeURIComponent(`${name.toWellFormed()}.${format}`).replace(
    /['()*]/g,
    (c) => `%${c.charCodeAt(0).toString(16)}`,
  )
  return `attachment; filename="${plain}.${format}"; filename*=UTF-8''${whole}`
}

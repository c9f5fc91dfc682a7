// The cursor of the next page, from a Link header: `</api/calls?limit=50&cursor=…>; rel="next"`.
export function nextCursor(link: string | null): string | undefined {
  const address = /<([^>]*)>;\s*rel="next"/.exec(link ?? '')?.[1]
  return address ? (new URLSearchParams(address.split('?')[1]).get('cursor') ?? undefined) : undefined
}

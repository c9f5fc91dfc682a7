// Imports between features that their rules forbid and that are still to be removed, by what removes them. None is added.
export const knownExceptions: Readonly<Record<string, readonly string[]>> = {
  'What a service builds of another feature: app.ts or that feature builds it.': [
    'providers/service.ts -> agents/store.ts',
    'recordings/service.ts -> calls/lease-store.ts',
    'usage/service.ts -> tools/test-run-store.ts',
    'web-calls/service.ts -> widgets/session-store.ts',
  ],
  'Functions of another feature: they belong to its rows.ts, or are handed over.': [
    'trunks/link-store.ts -> numbers/store.ts',
    'widgets/public-routes.ts -> conversations/reply.ts',
    'widgets/public-routes.ts -> conversations/store.ts',
  ],
}

// Imports between features that their rules forbid and that are still to be removed, by what removes them. None is added.
export const knownExceptions: Readonly<Record<string, readonly string[]>> = {
  'What a service builds of another feature: app.ts or that feature builds it.': [
    'agents/service.ts -> calls/store.ts',
    'agents/service.ts -> conversations/analysis-queue.ts',
    'agents/service.ts -> tools/use-store.ts',
    'answer-hooks/service.ts -> calls/hook-outcome-store.ts',
    'answer-hooks/service.ts -> conversations/hook-guidance-store.ts',
    'campaigns/service.ts -> agents/store.ts',
    'campaigns/service.ts -> calling-rules/store.ts',
    'campaigns/service.ts -> suppressions/service.ts',
    'providers/service.ts -> agents/store.ts',
    'recordings/service.ts -> calls/lease-store.ts',
    'usage/service.ts -> tools/test-run-store.ts',
    'web-calls/service.ts -> widgets/session-store.ts',
  ],
  'Functions of another feature: they belong to its rows.ts, or are handed over.': [
    'agents/chat-agent.ts -> conversations/tool-call-store.ts',
    'calls/phone-repository.ts -> trunks/store.ts',
    'campaigns/campaign-call.ts -> calling-rules/store.ts',
    'campaigns/campaign-call.ts -> suppressions/store.ts',
    'trunks/link-store.ts -> numbers/store.ts',
    'widgets/public-routes.ts -> conversations/reply.ts',
    'widgets/public-routes.ts -> conversations/store.ts',
  ],
  'Requests that are read outside the routes: cookies of sign-in, errors of a stream, the rate limiter of a node.': [
    'conversations/reply.ts -> http/error-handler.ts',
  ],
  'Ports with values: app.ts hands these over.': [
    'agents/port.ts -> agents/collect-function.ts',
    'agents/port.ts -> agents/session-options.ts',
    'agents/port.ts -> agents/turn-metrics.ts',
    'calls/port.ts -> calls/phone-repository.ts',
    'calls/port.ts -> calls/post-call-analysis.ts',
  ],
  'Routes that another feature mounts: their own feature gets a service.ts.': [
    'agents/service.ts -> conversations/routes.ts',
    'agents/service.ts -> conversations/tool-call-routes.ts',
    'agents/service.ts -> tools/routes.ts',
    'campaigns/service.ts -> calling-rules/routes.ts',
  ],
}

// The spec's own endpoints with a body: they ignore unknown fields, as the contract requires. Every other route rejects
// them.

const specRoutes: ReadonlySet<string> = new Set([
  'POST /api/api-keys',
  'POST /api/agents',
  'PATCH /api/agents/:id',
  'PATCH /api/agents/toggle/:id',
  'POST /api/agents/:id/link-trunk',
  'POST /api/conversations/message/send/:conversationId',
  'POST /api/conversations/start',
  'POST /api/conversations/end',
  'POST /api/did',
  'PATCH /api/did/:id',
  'POST /api/gateway/provision-device',
  'POST /api/gateway/credentials',
  'POST /api/gateway/devices',
  'PATCH /api/gateway/devices/:id',
  'POST /api/gateway/calls/outbound',
  'POST /api/tools',
  'PATCH /api/tools/:id',
  'POST /api/tools/:id/agents/:agentId',
  'POST /api/calls/outbound',
  'POST /api/tts/provider_b/stream',
  'POST /api/tts/provider_c/stream',
])

export const ignoresUnknownFields = (method: string, url: string): boolean => specRoutes.has(`${method} ${url}`)

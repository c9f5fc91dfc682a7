// The permission that a route requires of a member of the organization: by the first segment after /api, except for the
// routes named here. The server enforces it (http/permissions.ts), and the page hides what it would refuse. Which role has
// it: organization-roles.ts.
import type { Permission, ResourceKind } from './organization-roles.ts'

/** `null`: every member, and what a response holds depends on their permissions. */
export const kindByWord: Readonly<Record<string, ResourceKind | null>> = {
  agents: 'agents',
  rehearsals: 'agents',
  'rehearsal-scripts': 'agents',
  'trunk-links': 'trunks',
  tools: 'tools',
  'knowledge-bases': 'tools',
  spreadsheets: 'tools',
  tts: 'voices',
  did: 'numbers',
  trunks: 'trunks',
  gateway: 'devices',
  providers: 'providers',
  widgets: 'widgets',
  'api-keys': 'keys',
  webhooks: 'webhooks',
  calls: 'calls',
  overview: 'calls',
  'web-calls': 'tests',
  conversations: 'conversations',
  callbacks: 'callbacks',
  suppressions: 'suppressions',
  'suppression-lists': 'suppressions',
  campaigns: 'campaigns',
  'calling-rules': 'campaigns',
  organizations: 'organization',
  audit: 'audit',
  events: null,
  platform: null,
}

const byRoute: Readonly<Record<string, Permission | null>> = {
  // Dialing by a device is dialing.
  'POST /api/gateway/calls/outbound': 'calls:write',
  'GET /api/gateway/calls/recordings/:sessionId': 'recordings:read',
  // These show passwords.
  'GET /api/gateway/credentials': 'devices:write',
  'GET /api/gateway/sip/credentials': 'devices:write',
  'GET /api/gateway/devices/:id/qr': 'devices:write',
  'GET /api/calls/:id/listen': 'live:read',
  'POST /api/calls/:id/say': 'live:write',
  'POST /api/calls/:id/transfer': 'live:write',
  'DELETE /api/calls/:id': 'erasure:write',
  'DELETE /api/conversations/:id': 'erasure:write',
  'POST /api/conversations/forget': 'erasure:write',
  'GET /api/campaigns/:id/results': 'exports:read',
  'GET /api/suppression-lists/:id/content': 'exports:read',
  'GET /api/audit/export': 'exports:read', // and audit:read
  'POST /api/api-keys/:id/adopt': 'ownership:write',
  'POST /api/suppressions/check': 'suppressions:read',
  // A person sees the organizations of which they are a member, and creates one as an administrator of the platform.
  'GET /api/organizations': null,
  'POST /api/organizations': null,
  'POST /api/organizations/:id/leave': null,
}

const isRead = new Set(['GET', 'HEAD', 'OPTIONS'])

/** Paths as the server registers them: `/api/calls/:id`. Undefined if none is decided. */
export function routePermission(method: string, url: string): Permission | null | undefined {
  const isReading = isRead.has(method)
  const route = `${isReading ? 'GET' : method} ${url}`
  if (Object.hasOwn(byRoute, route)) return byRoute[route]
  const [, , word = '', ...rest] = url.split('/')
  const kind = kindOf(word, rest)
  return kind && `${kind}:${isReading ? 'read' : 'write'}`
}

function kindOf(word: string, rest: readonly string[]): ResourceKind | null | undefined {
  if (rest[1] === 'answer-hook') return word === 'calls' ? 'calls' : 'webhooks'
  if (word === 'organizations' && (rest[1] === 'members' || rest[1] === 'invitations')) return 'members'
  return Object.hasOwn(kindByWord, word) ? kindByWord[word] : undefined
}

// Limits for data from servers, members and strangers, one entry per purpose. All of it is parsed on the main thread.

export type JsonBounds = {
  /** After decompression; in an event stream, per event. */
  bytes: number
  depth: number
  /** Per object. */
  keys?: number
  /** Per list. */
  items?: number
  /**
   * Total number of lists and objects: each costs the parser a microsecond, fifty times as much as a number or a short
   * text.
   */
  containers: number
  /** Entries of all lists and objects together. */
  entries: number
}

const KB = 1024
const MB = 1024 * KB

export const limits = {
  /** An API request. Fits 1,000 contacts with 100 columns. */
  requestBody: { bytes: MB, depth: 32, keys: 1000, items: 1000, containers: 20_000, entries: 150_000 },
  /** A list's cursor. */
  cursor: { bytes: 4 * KB, depth: 1, containers: 1, entries: 10 },
  /** A request to /auth. */
  authBody: { bytes: 16 * KB },
  /** A WebRTC offer: SDP with candidates. */
  offerBody: { bytes: 128 * KB },
  /** A browser message in a web call. */
  callMessage: { bytes: KB, depth: 8, containers: 100, entries: 500 },
  /** WhatsApp's webhook; Meta sends at most 3 MB. */
  webhookBody: { bytes: 3 * MB, depth: 32, keys: 1000, containers: 50_000, entries: 300_000 },
  /** A tool server's response. Most tools accept 1 MB; the owner may allow more, and Google Sheets needs more. */
  toolAnswer: { bytes: 10 * MB, depth: 200, keys: 10_000, containers: 100_000, entries: 1_000_000 },
  /** A single message or event of an MCP server. */
  mcpMessage: { bytes: 4 * MB, depth: 200, keys: 10_000, containers: 100_000, entries: 500_000 },
  tokenAnswer: { bytes: 64 * KB, depth: 8, keys: 200, containers: 200, entries: 1000 },
  answerHook: { bytes: 64 * KB, depth: 8, keys: 200, items: 200, containers: 2000, entries: 10_000 },
  predialAnswer: { bytes: 4 * KB, depth: 4, keys: 50, items: 50, containers: 100, entries: 500 },
  /** One event of a language model's reply, or a reply that is not streamed. */
  modelEvent: { bytes: MB, depth: 64, keys: 1000, containers: 10_000, entries: 100_000 },
  /** A complete reply of a language model, over all its events. */
  modelReply: { bytes: 32 * MB },
  /** JSON written by a language model: the arguments of a tool, or an analysis. */
  modelText: { bytes: MB, depth: 64, keys: 1000, containers: 10_000, entries: 100_000 },
  /** OpenRouter's list is over half a megabyte. */
  modelList: { bytes: 2 * MB, depth: 16, keys: 1000, containers: 50_000, entries: 200_000 },
  /** Azure lists all its voices at once, others a hundred per page. */
  voiceList: { bytes: 2 * MB, depth: 16, keys: 1000, containers: 50_000, entries: 200_000 },
  /** A recognizer's message, or its complete response. */
  transcript: { bytes: 64 * KB, depth: 16, keys: 100, containers: 5000, entries: 20_000 },
  /** A message with some seconds of speech in base64, and the times of its characters. */
  speechMessage: { bytes: 2 * MB, depth: 8, keys: 100, containers: 200, entries: 50_000 },
  /** A remote gateway service, or Meta's Graph API. */
  gatewayAnswer: { bytes: MB, depth: 32, keys: 1000, containers: 20_000, entries: 100_000 },
  /** Only its first words are shown. */
  errorBody: { bytes: 16 * KB, depth: 32, keys: 1000, containers: 1000, entries: 5000 },
} as const satisfies Record<string, JsonBounds | { bytes: number }>

export const MAX_DIMENSIONS = 8192
/** A double-precision decimal with its comma. */
const NUMBER_BYTES = 26

/** One vector per text. */
export const embeddingsAnswer = (texts: number): JsonBounds => ({
  bytes: 64 * KB + texts * MAX_DIMENSIONS * NUMBER_BYTES,
  depth: 8,
  keys: 100,
  containers: 50 + 4 * texts,
  entries: 200 + texts * (MAX_DIMENSIONS + 10),
})

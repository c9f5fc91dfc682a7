// The RTP payload types of the media benchmark.
import type { CodecName } from '../../src/rtp/leg.ts'

export const payloadTypes: Readonly<Record<CodecName, number>> = { PCMU: 0, PCMA: 8, G722: 9, opus: 111 }

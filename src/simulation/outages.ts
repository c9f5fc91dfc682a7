// Outages of providers in a rehearsal: which kinds are down, and engines that fail meanwhile.

import type { ChainKind } from '../base/domain/provider-kinds.ts'
import { appError } from '../base/errors/errors.ts'

const outageNames = ['llm', 'stt', 'tts', 'all', 'none'] as const
/** `none` ends every outage. */
export type OutageName = (typeof outageNames)[number]

export type Outages = {
  begin(outage: OutageName): void
  isOut(kind: ChainKind): boolean
}

export function createOutages(): Outages {
  const out = new Set<ChainKind>()
  return {
    begin(outage) {
      if (outage === 'none') out.clear()
      else for (const kind of outage === 'all' ? (['llm', 'stt', 'tts'] as const) : [outage]) out.add(kind)
    },
    isOut: (kind) => out.has(kind),
  }
}

/** A vendor's stream: refused while its kind is down, broken off when an outage begins. */
export async function* failingInOutage<T>(
  { outages, kind, service }: { outages: Outages; kind: ChainKind; service: string },
  start: () => AsyncIterable<T>,
): AsyncGenerator<T> {
  const refused = () => appError('service_connection_refused', { service })
  if (outages.isOut(kind)) throw refused()
  for await (const part of start()) {
    if (outages.isOut(kind)) throw refused()
    yield part
  }
}

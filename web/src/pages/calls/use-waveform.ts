// Streams a recording once to compute its waveform; the audio element fetches the file separately.
import { useEffect, useState } from 'react'
import { type Peaks, peakReader } from './wav-peaks.ts'

const POINTS = 1600

export type PeakState = { peaks: Peaks | null; isDone: boolean }

export function useWaveform(url: string): PeakState {
  const [state, setState] = useState<PeakState>({ peaks: null, isDone: false })
  useEffect(() => {
    const leaving = new AbortController()
    setState({ peaks: null, isDone: false })
    read(url, leaving.signal)
      .then((peaks) => setState({ peaks, isDone: true }))
      .catch(() => leaving.signal.aborted || setState({ peaks: null, isDone: true }))
    return () => leaving.abort()
  }, [url])
  return state
}

async function read(url: string, signal: AbortSignal): Promise<Peaks | null> {
  const response = await fetch(url, { signal })
  if (!response.ok || !response.body) return null
  const reader = peakReader(Number(response.headers.get('content-length')), POINTS)
  const pieces = response.body.getReader()
  for (let piece = await pieces.read(); !piece.done; piece = await pieces.read()) reader.add(piece.value)
  return reader.peaks
}

// The note about a call's recording; none if the recording is complete.
import type { Call } from '../../../../client/paths.ts'
import { texts } from '../../i18n/texts.ts'

type RecordingFields = Pick<Call, 'recordingStatus' | 'recordingError' | 'endedAt'>

export const recordingTexts = texts(
  {
    none: 'Esta chamada não foi gravada.',
    recording: 'A gravação ainda está sendo finalizada ou está em um servidor que não respondeu.',
    partial: (why: string) => `Gravação incompleta: ${why}.`,
    failed: (why: string) => `A gravação falhou: ${why}.`,
    why: {
      disk_full: 'o disco do servidor ficou cheio',
      disk_slow: 'o disco do servidor não acompanhou',
      not_writable: 'o servidor não conseguiu gravar o arquivo',
      process_ended: 'o servidor parou durante a chamada',
      unknown: 'motivo desconhecido',
    },
  },
  {
    none: 'This call was not recorded.',
    recording: 'The recording is still being finished, or is on a server that has not responded.',
    partial: (why: string) => `Incomplete recording: ${why}.`,
    failed: (why: string) => `Recording failed: ${why}.`,
    why: {
      disk_full: "the server's disk was full",
      disk_slow: "the server's disk could not keep up",
      not_writable: 'the server could not write the file',
      process_ended: 'the server stopped during the call',
      unknown: 'unknown reason',
    },
  },
  {
    none: 'Esta llamada no se grabó.',
    recording: 'La grabación aún se está finalizando o está en un servidor que no respondió.',
    partial: (why: string) => `Grabación incompleta: ${why}.`,
    failed: (why: string) => `La grabación falló: ${why}.`,
    why: {
      disk_full: 'el disco del servidor se llenó',
      disk_slow: 'el disco del servidor no dio abasto',
      not_writable: 'el servidor no pudo escribir el archivo',
      process_ended: 'el servidor se detuvo durante la llamada',
      unknown: 'motivo desconocido',
    },
  },
)

/** Null if there is nothing to note. */
export function recordingNote(call: RecordingFields, t: (typeof recordingTexts)['en']): string | null {
  const why = t.why[call.recordingError ?? 'unknown']
  if (call.recordingStatus === 'partial') return t.partial(why)
  if (call.recordingStatus === 'failed') return t.failed(why)
  if (call.endedAt === null || call.recordingStatus === 'complete') return null
  return call.recordingStatus === 'none' ? t.none : t.recording
}

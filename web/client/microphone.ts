// The microphone, asked for so that the agent does not hear itself; and words for why there is none.

const wishes = { echoCancellation: true, noiseSuppression: true, autoGainControl: true, channelCount: 1 }

const reasons: Readonly<Record<string, string>> = {
  NotAllowedError: 'The browser was not allowed to use the microphone',
  SecurityError: 'The browser does not let this page use the microphone',
  NotFoundError: 'No microphone was found',
  NotReadableError: 'The microphone is in use by another program, or does not answer',
}

export async function openMicrophone(): Promise<MediaStream> {
  if (!globalThis.isSecureContext || !navigator.mediaDevices?.getUserMedia)
    throw new DOMException(
      'Browsers give no microphone to a page over plain HTTP: open it by https, or on localhost',
      'SecurityError',
    )
  try {
    return await navigator.mediaDevices.getUserMedia({ audio: wishes })
  } catch (error) {
    const name = error instanceof DOMException ? error.name : ''
    throw reasons[name] ? new DOMException(reasons[name], name) : error
  }
}

export function closeMicrophone(stream: MediaStream): void {
  for (const track of stream.getTracks()) track.stop()
}

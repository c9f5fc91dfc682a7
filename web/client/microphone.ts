// Opens the microphone with echo cancellation, with readable errors.

const constraints = { echoCancellation: true, noiseSuppression: true, autoGainControl: true, channelCount: 1 }

const reasons: Readonly<Record<string, string>> = {
  NotAllowedError: 'Microphone access was denied',
  SecurityError: 'The browser blocks the microphone on this page',
  NotFoundError: 'No microphone found',
  NotReadableError: 'The microphone is in use by another program or not responding',
}

export async function openMicrophone(): Promise<MediaStream> {
  if (!globalThis.isSecureContext || !navigator.mediaDevices?.getUserMedia)
    throw new DOMException('Browsers block the microphone on plain HTTP: use HTTPS or localhost', 'SecurityError')
  try {
    return await navigator.mediaDevices.getUserMedia({ audio: constraints })
  } catch (error) {
    const name = error instanceof DOMException ? error.name : ''
    throw reasons[name] ? new DOMException(reasons[name], name) : error
  }
}

export function closeMicrophone(stream: MediaStream): void {
  for (const track of stream.getTracks()) track.stop()
}

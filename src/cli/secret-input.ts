// Secrets for a command: prompted for without echo, or the first line of standard input; never an argument, which `ps` would show.
import { createInterface } from 'node:readline'
import { Writable } from 'node:stream'

/** Reads a line without echo. `what` names it in the error. */
export function promptHidden(
  { input, output }: { input: NodeJS.ReadStream; output: NodeJS.WriteStream },
  question: string,
  what: string,
): Promise<string> {
  output.write(question)
  const discard = new Writable({ write: (_chunk, _encoding, done) => done() })
  const lines = createInterface({ input, output: discard, terminal: true })
  return new Promise<string>((resolve, reject) => {
    lines.once('line', resolve)
    lines.once('close', () => reject(new Error(`no ${what} was entered`)))
  }).finally(() => {
    lines.close()
    output.write('\n')
  })
}

export async function firstLine(input: NodeJS.ReadStream, what: string): Promise<string> {
  for await (const line of createInterface({ input })) return line
  throw new Error(`no ${what} on standard input`)
}

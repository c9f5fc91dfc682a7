// The code to add an agent to a website: one server route and one button. Pure.

export function serverSnippet(server: string, agentId: string, comment: string): string {
  return `// ${comment}
app.post('/talk-token', async (req, res) => {
  const answer = await fetch('${server}/api/web-calls', {
    method: 'POST',
    headers: { 'X-Api-Key': process.env.RAMAL_API_KEY, 'Content-Type': 'application/json' },
    body: JSON.stringify({ agentId: '${agentId}' }),
  })
  res.status(answer.status).json(await answer.json())
})`
}

export function pageSnippet(server: string, words: { start: string; stop: string }): string {
  return `<button id="talk">${words.start}</button>
<script type="module">
  import { startWebCall } from '${server}/client/web-call.js'
  const button = document.getElementById('talk')
  let call
  const rest = () => { call = undefined; button.textContent = '${words.start}' }
  button.onclick = async () => {
    if (call) return call.stop()
    const { token } = await (await fetch('/talk-token', { method: 'POST' })).json()
    call = await startWebCall({
      server: '${server}', token,
      onEvent: (event) => event.type === 'ended' && rest(),
    })
    button.textContent = '${words.stop}'
  }
</script>`
}

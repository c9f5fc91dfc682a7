// Suppressed numbers of the demo: the user's own list and an imported one.
type Post = (path: string, body: object) => Promise<{ id: string }>

const own = [
  ['+5511987650021', 'opt_out', 'Pediu por e-mail'],
  ['+5511987650022', 'wrong_person', null],
  ['+551133330023', 'manual', 'Fornecedor: só por escrito'],
] as const

/** Returns the id of the imported list. */
export async function putSuppressions(post: Post, { url, key }: { url: string; key: string }): Promise<string> {
  for (const [phoneNumber, reason, note] of own) await post('/api/suppressions', { phoneNumber, reason, note })
  const { id } = await post('/api/suppression-lists', { name: 'Não Me Ligue (Procon-SP)', sector: 'vendas e cobrança' })
  const numbers = Array.from({ length: 40 }, (_, i) => `+55119765400${String(i).padStart(2, '0')}`)
  const response = await fetch(`${url}/api/suppression-lists/${id}/content`, {
    method: 'PUT',
    headers: { 'x-api-key': key, 'content-type': 'text/csv' },
    body: ['telefone', ...numbers].join('\n'),
  })
  if (!response.ok) throw new Error(await response.text())
  return id
}

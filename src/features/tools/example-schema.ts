// One tool of each type, as examples for the API reference.
import { exampleId } from '../../http/schema.ts'

const collect = (properties: Record<string, string>) => ({
  type: 'object',
  properties: Object.fromEntries(
    Object.entries(properties).map(([name, description]) => [name, { type: 'string', description }]),
  ),
  required: Object.keys(properties),
})

export const exampleTools = {
  api_request: {
    name: 'consultar_agenda',
    type: 'api_request',
    description: 'Consulta os horários livres de uma especialidade',
    method: 'GET',
    requestUrl: 'https://agenda.example.com.br/horarios?especialidade={especialidade}',
    parameters: collect({ especialidade: 'Especialidade médica' }),
    headers: { 'X-Clinica': 'aurora' },
    authorization: { type: 'bearer', token: 'troque-este-token' },
    messages: { start: 'Um momento, vou consultar a agenda.', failed: 'Não consegui consultar a agenda agora.' },
    config: { timeoutMs: 8000, retry: { maxRetries: 2, baseDelayMs: 500, type: 'exponential' }, idempotent: true },
  },
  custom: {
    name: 'registrar_pedido',
    type: 'custom',
    description: 'Registra o pedido do cliente no CRM',
    method: 'POST',
    requestUrl: 'https://crm.example.com.br/ferramentas/pedido',
    parameters: collect({ produto: 'Produto pedido' }),
    config: { timeoutMs: 10_000, retries: 1, responseVariables: { protocolo: '$.protocolo' } },
  },
  dtmf: {
    name: 'navegar_menu',
    type: 'dtmf',
    description: 'Digita uma opção no menu eletrônico',
    config: { mode: 'auto', toneMs: 160, gapMs: 80 },
  },
  end_call: {
    name: 'encerrar',
    type: 'end_call',
    description: 'Encerra a ligação depois da despedida',
    config: { message: 'Obrigada por ligar. Até logo!', waitForSpeech: true },
  },
  transfer_call: {
    name: 'transferir',
    type: 'transfer_call',
    description: 'Transfere para um atendente quando o paciente pede',
    config: {
      destinations: [
        {
          type: 'number',
          number: '+551130304040',
          description: 'Recepção',
          mode: 'warm',
          whisper: 'summary',
          ringTimeoutMs: 25_000,
          onFailure: 'return_to_agent',
        },
      ],
    },
  },
  send_text: {
    name: 'enviar_confirmacao',
    type: 'send_text',
    description: 'Envia a confirmação da consulta por mensagem',
    config: { channel: 'whatsapp', template: 'Olá {nome}, sua consulta é {horario}.' },
  },
  query: {
    name: 'consultar_convenios',
    type: 'query',
    description: 'Procura regras e preços dos convênios',
    config: { knowledgeBaseIds: [exampleId('kb')], topK: 3 },
  },
  calendar: {
    name: 'marcar_consulta',
    type: 'calendar',
    description: 'Marca uma consulta na agenda',
    requestUrl: 'https://caldav.example.com.br/agenda/',
    authorization: { type: 'basic', username: 'agenda', password: 'troque-esta-senha' },
    config: {
      provider: 'caldav',
      operation: 'create_event',
      timeZone: 'America/Sao_Paulo',
      durationMinutes: 30,
      workingHours: { days: [1, 2, 3, 4, 5], from: '08:00', to: '18:00' },
    },
  },
  spreadsheet: {
    name: 'consultar_precos',
    type: 'spreadsheet',
    description: 'Procura o preço de um exame',
    config: {
      provider: 'ramal',
      operation: 'find_row',
      spreadsheetId: exampleId('sht'),
      keyColumn: 'exame',
      maxResults: 5,
    },
  },
  chat_workspace: {
    name: 'avisar_equipe',
    type: 'chat_workspace',
    description: 'Avisa a equipe no canal da recepção',
    authorization: { type: 'bearer', token: 'troque-este-token' },
    config: { provider: 'slack', channel: '#recepcao' },
  },
  mcp: {
    name: 'ferramentas_erp',
    type: 'mcp',
    description: 'Ferramentas do ERP',
    requestUrl: 'https://erp.example.com.br/mcp',
    authorization: { type: 'bearer', token: 'troque-este-token' },
    config: { transport: 'streamable_http', allowTools: ['buscar_cliente'], timeoutMs: 15_000 },
  },
}

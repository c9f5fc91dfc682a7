// Configuration errors of tools and results of their test runs: the server's English with translations into Portuguese
// and Spanish; {names} are placeholders.
import type { ServerTexts } from '../server-text.ts'

export const toolsServerTexts: ServerTexts = {
  'Missing: {names}. Ask for it, then try again.': [
    'Falta: {names}. Preencha e tente de novo.',
    'Falta: {names}. Complételo e inténtelo de nuevo.',
  ],
  'Missing: {names}': ['Falta: {names}', 'Falta: {names}'],
  'The arguments are not valid: {why}. Correct them and call again, or ask for what is missing.': [
    'Os argumentos não são válidos: {why}. Corrija e tente de novo.',
    'Los argumentos no son válidos: {why}. Corríjalos e inténtelo de nuevo.',
  ],
  'they must be one JSON object': ['precisam ser um objeto JSON', 'deben ser un objeto JSON'],
  'they are too large': ['são grandes demais', 'son demasiado grandes'],
  '{field} is missing': ['falta {field}', 'falta {field}'],
  '{field} must be {type}': ['{field} precisa ser {type}', '{field} debe ser {type}'],
  '{field} must be one of {values}': ['{field} precisa ser um de {values}', '{field} debe ser uno de {values}'],
  'This tool cannot be used: {reason}': [
    'Esta ferramenta não pode ser usada: {reason}',
    'Esta herramienta no se puede usar: {reason}',
  ],
  'config of a tool of type {type}: {reason}': [
    'configurações da ferramenta ({type}): {reason}',
    'ajustes de la herramienta ({type}): {reason}',
  ],
  'requestUrl is missing': ['falta a URL', 'falta la URL'],
  'requestUrl is missing: the address of the server': [
    'falta a URL: o endereço do servidor',
    'falta la URL: la dirección del servidor',
  ],
  'responseFilter: {path} is no path': [
    'filtro da resposta: {path} não é um caminho',
    'filtro de la respuesta: {path} no es una ruta',
  ],
  'responseVariables: {path} is no path': [
    'variáveis da resposta: {path} não é um caminho',
    'variables de la respuesta: {path} no es una ruta',
  ],
  'The server accepted the request (status {status}), but {fault}': [
    'O servidor aceitou a requisição (status {status}), mas {fault}',
    'El servidor aceptó la solicitud (estado {status}), pero {fault}',
  ],
  'The values are too long': ['Os valores são longos demais', 'Los valores son demasiado largos'],
  'Started: the result is not waited for.': [
    'Iniciada: o resultado não é aguardado.',
    'Iniciada: no se espera el resultado.',
  ],
  'It failed': ['Falhou', 'Falló'],
  'There was no time left to press the keys.': [
    'Não houve tempo para pressionar as teclas.',
    'No hubo tiempo para pulsar las teclas.',
  ],
  'The keys were pressed.': ['As teclas foram pressionadas.', 'Las teclas se pulsaron.'],
  'The call has ended.': ['A chamada terminou.', 'La llamada terminó.'],
  'each entry of rejectIf needs param or variable, and as operator one of {operators}': [
    'cada item de rejectIf precisa de param ou variable e de um destes operadores: {operators}',
    'cada elemento de rejectIf necesita param o variable y uno de estos operadores: {operators}',
  ],
  'the MCP server could not be used: {reason}': [
    'o servidor MCP não pôde ser usado: {reason}',
    'el servidor MCP no se pudo usar: {reason}',
  ],
  'the MCP server has no tool that can be used here': [
    'o servidor MCP não tem ferramenta que possa ser usada aqui',
    'el servidor MCP no tiene herramientas que se puedan usar aquí',
  ],
  'allowTools and denyTools leave nothing; the server has: {names}': [
    'allowTools e denyTools não deixam nada; o servidor tem: {names}',
    'allowTools y denyTools no dejan nada; el servidor tiene: {names}',
  ],
  'The server did not answer in time': ['O servidor não respondeu a tempo', 'El servidor no respondió a tiempo'],
  'The server failed: {reason}': ['O servidor falhou: {reason}', 'El servidor falló: {reason}'],
  'The server says that it failed': ['O servidor informa que falhou', 'El servidor informa que falló'],
  'the server could not be reached': ['não foi possível acessar o servidor', 'no se pudo acceder al servidor'],
  'the server ends its streams too often': [
    'o servidor encerra os fluxos vezes demais',
    'el servidor cierra los flujos demasiadas veces',
  ],
  'Nothing was found about this in the knowledge base.': [
    'Nada foi encontrado sobre isto na base de conhecimento.',
    'No se encontró nada sobre esto en la base de conocimiento.',
  ],
  'The knowledge base {id} was not found.': [
    'A base de conhecimento {id} não foi encontrada.',
    'No se encontró la base de conocimiento {id}.',
  ],
  'config.knowledgeBaseIds is missing': [
    'escolha ao menos uma base de conhecimento',
    'elija al menos una base de conocimiento',
  ],
  'there is no way to send it: give it a deviceId, or set SMS_URL': [
    'não há como enviar: escolha um aparelho ou defina SMS_URL',
    'no hay cómo enviarlo: elija un dispositivo o defina SMS_URL',
  ],
  'It is not known to which number: the number of the one in the conversation is not known.': [
    'Não se sabe para qual número: o número da pessoa na conversa não é conhecido.',
    'No se sabe a qué número: no se conoce el número de la persona de la conversación.',
  ],
  'The number is not a whole one: write it as +5511987654321.': [
    'O número não está completo: escreva como +5511987654321.',
    'El número no está completo: escríbalo como +5511987654321.',
  ],
  'Messages may only be sent to the one in the call.': [
    'Mensagens só podem ser enviadas a quem está na chamada.',
    'Solo se pueden enviar mensajes a quien está en la llamada.',
  ],
  'This number may not be written to.': [
    'Não é permitido enviar mensagens a este número.',
    'No se permite enviar mensajes a este número.',
  ],
  'There is no text to send.': ['Não há texto para enviar.', 'No hay texto que enviar.'],
  'The text has {length} letters; {limit} at most can be sent.': [
    'O texto tem {length} caracteres; o máximo é {limit}.',
    'El texto tiene {length} caracteres; el máximo es {limit}.',
  ],
  'The message was sent.': ['A mensagem foi enviada.', 'El mensaje se envió.'],
  'The message was not sent: {reason}': ['A mensagem não foi enviada: {reason}', 'El mensaje no se envió: {reason}'],
  'The message was refused: {reason}': ['A mensagem foi recusada: {reason}', 'El mensaje fue rechazado: {reason}'],
  'there is no provider': ['não há provedor', 'no hay proveedor'],
  'the provider answered with status {status}: {said}': [
    'o provedor respondeu com o status {status}: {said}',
    'el proveedor respondió con el estado {status}: {said}',
  ],
  'the provider could not be reached': ['não foi possível acessar o provedor', 'no se pudo acceder al proveedor'],
  'the provider did not answer': ['o provedor não respondeu', 'el proveedor no respondió'],
  'there is no agent {id}': ['o agente {id} não existe', 'el agente {id} no existe'],
  'it has no destinations': ['não há destinos', 'no hay destinos'],
  'it needs destinations, or allowAnyNumber': [
    'adicione destinos ou permita qualquer número',
    'añada destinos o permita cualquier número',
  ],
  'Not offered: {reason}': ['Não oferecido: {reason}', 'No se ofrece: {reason}'],
  'This number may not be called.': ['Não é permitido ligar para este número.', 'No se permite llamar a este número.'],
  'this number may not be called': ['não é permitido ligar para este número', 'no se permite llamar a este número'],
  'an agent needs an agentId': ['escolha o agente', 'elija el agente'],
  'a number is written as +5511987654321': [
    'escreva o número como +5511987654321',
    'escriba el número como +5511987654321',
  ],
  'a callerId is a whole number, or caller': [
    'o número de origem é um número completo ou “caller”',
    'el número de origen es un número completo o “caller”',
  ],
  'destinations[{index}]: {reason}': ['destino {index}: {reason}', 'destino {index}: {reason}'],
  'tools of type {type} do not act yet': [
    'ferramentas do tipo {type} ainda não funcionam',
    'las herramientas de tipo {type} aún no funcionan',
  ],
  'This agent has no such tool.': ['Este agente não tem essa ferramenta.', 'Este agente no tiene esa herramienta.'],
  'The tool took too long.': ['A ferramenta demorou demais.', 'La herramienta tardó demasiado.'],
  'The tool failed on our side.': ['A ferramenta falhou no servidor.', 'La herramienta falló en el servidor.'],
  'The tool failed.': ['A ferramenta falhou.', 'La herramienta falló.'],
  'The address of this tool has a value in its host': [
    'O endereço desta ferramenta tem um valor no nome do servidor',
    'La dirección de esta herramienta tiene un valor en el nombre del servidor',
  ],
  'The value of {name} is empty': ['O valor de {name} está vazio', 'El valor de {name} está vacío'],
  'The values are too long for an address': [
    'Os valores são longos demais para um endereço',
    'Los valores son demasiado largos para una dirección',
  ],
  'The values do not fit into the address': [
    'Os valores não cabem no endereço',
    'Los valores no encajan en la dirección',
  ],
  'The body of this tool is nested too deep': [
    'Os dados desta ferramenta têm níveis demais',
    'Los datos de esta herramienta tienen demasiados niveles',
  ],
  'The value of {name} holds characters that {where} cannot carry': [
    'O valor de {name} tem caracteres que não podem ser enviados ({where})',
    'El valor de {name} tiene caracteres que no se pueden enviar ({where})',
  ],
  'requestUrl of an incoming webhook, or a bearer token, is missing': [
    'falta a URL do webhook de entrada ou um token',
    'falta la URL del webhook entrante o un token',
  ],
  'config.channel is missing': ['falta o canal', 'falta el canal'],
  'requestUrl of an incoming webhook takes no values': [
    'a URL de um webhook de entrada não aceita valores',
    'la URL de un webhook entrante no admite valores',
  ],
  'authorization {type} needs {what}': [
    'a autenticação {type} precisa de {what}',
    'la autenticación {type} necesita {what}',
  ],
  'authorization.type must be one of {types}': [
    'o tipo de autenticação precisa ser um de {types}',
    'el tipo de autenticación debe ser uno de {types}',
  ],
  'username and password': ['usuário e senha', 'usuario y contraseña'],
  'name and value': ['nome e valor', 'nombre y valor'],
  'The language model': ['O modelo de linguagem', 'El modelo de lenguaje'],
  'the language model': ['o modelo de linguagem', 'el modelo de lenguaje'],
  'The server for embeddings': ['O servidor de embeddings', 'El servidor de embeddings'],
  'the server for embeddings': ['o servidor de embeddings', 'el servidor de embeddings'],
  string: ['texto', 'texto'],
  number: ['número', 'número'],
  integer: ['número inteiro', 'número entero'],
  boolean: ['sim ou não', 'sí o no'],
  array: ['lista', 'lista'],
  object: ['objeto', 'objeto'],
  'string or null': ['texto', 'texto'],
  'integer or null': ['número inteiro', 'número entero'],
  'number or null': ['número', 'número'],
  'date-time': ['data e hora', 'fecha y hora'],
  'language-tag': ['idioma', 'idioma'],
  'an http or https address, such as https://example.com/hook': [
    'um endereço http ou https, como https://example.com/hook',
    'una dirección http o https, como https://example.com/hook',
  ],
}

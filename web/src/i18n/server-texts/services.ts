// Failures of services and documents that records and streams carry in English, worded as in the server's error
// catalog.
import type { ServerTexts } from '../server-text.ts'

export const servicesServerTexts: ServerTexts = {
  '{service} did not answer in time': ['{service} não respondeu a tempo.', '{service} no respondió a tiempo.'],
  '{service} was silent for too long': [
    '{service} ficou tempo demais sem responder.',
    '{service} estuvo demasiado tiempo sin responder.',
  ],
  '{service} could not be reached, or the connection was lost': [
    'Sem conexão com o serviço: {service}.',
    'Sin conexión con el servicio: {service}.',
  ],
  '{service} refused the connection': ['{service} recusou a conexão.', '{service} rechazó la conexión.'],
  '{service} did not accept our key': [
    '{service} não aceitou a chave configurada.',
    '{service} no aceptó la clave configurada.',
  ],
  '{service} limits our requests': [
    '{service} está limitando os pedidos. Confira a cota da conta.',
    '{service} está limitando las solicitudes. Revise la cuota de la cuenta.',
  ],
  '{service} answered with status {status}': [
    '{service} respondeu com o status {status}.',
    '{service} respondió con el estado {status}.',
  ],
  '{service} refused our request with status {status}': [
    '{service} recusou o pedido com o status {status}.',
    '{service} rechazó la solicitud con el estado {status}.',
  ],
  '{service} has no such model or path': [
    '{service}: o modelo ou o endereço não existe.',
    '{service}: el modelo o la dirección no existe.',
  ],
  '{service} refused the request': ['{service} recusou o pedido.', '{service} rechazó la solicitud.'],
  '{service} answered in a way that is not its protocol': [
    '{service} respondeu fora do protocolo.',
    '{service} respondió fuera del protocolo.',
  ],
  '{service} answered with nonsense': [
    '{service} deu uma resposta que não pode ser lida.',
    '{service} dio una respuesta que no se puede leer.',
  ],
  '{service} failed half-way': ['{service} falhou no meio da resposta.', '{service} falló a mitad de la respuesta.'],
  '{service} broke off half-way': [
    '{service} interrompeu a resposta no meio.',
    '{service} cortó la respuesta a la mitad.',
  ],
  '{service} did not come to an end': ['{service} não terminou a resposta.', '{service} no terminó la respuesta.'],
  '{service} gave no answer': ['{service} não deu resposta.', '{service} no dio respuesta.'],
  '{service} was cut off in a tool call': [
    '{service}: a resposta foi cortada ao usar uma ferramenta.',
    '{service}: la respuesta se cortó al usar una herramienta.',
  ],
  '{service} did not answer with an event stream': [
    '{service} não respondeu com um fluxo de eventos.',
    '{service} no respondió con un flujo de eventos.',
  ],
  '{service} did not answer with JSON': ['{service} não respondeu em JSON.', '{service} no respondió en JSON.'],
  '{service} gave no audio': ['{service} não enviou áudio.', '{service} no envió audio.'],
  '{service} did not answer with PCM audio': [
    '{service} não respondeu com áudio PCM.',
    '{service} no respondió con audio PCM.',
  ],
  '{service} ended in the middle of its speech': [
    '{service} parou no meio da fala.',
    '{service} se detuvo a mitad de la frase.',
  ],
  '{service} gave no text': ['{service} não devolveu texto.', '{service} no devolvió texto.'],
  '{service} could not recognise the audio': [
    '{service} não conseguiu reconhecer o áudio.',
    '{service} no pudo reconocer el audio.',
  ],
  '{service} gave no list of voices': [
    '{service} não devolveu a lista de vozes.',
    '{service} no devolvió la lista de voces.',
  ],
  '{service} gave no token': ['{service} não devolveu um token.', '{service} no devolvió un token.'],
  '{service} is not configured on this server': [
    '{service} não está configurado neste servidor.',
    '{service} no está configurado en este servidor.',
  ],
  '{service} has no short-lived tokens': [
    '{service} não tem tokens de curta duração.',
    '{service} no tiene tokens de corta duración.',
  ],
  'The language model did not answer in time': [
    'O modelo de linguagem não respondeu a tempo.',
    'El modelo de lenguaje no respondió a tiempo.',
  ],
  'This server has no speech engine': ['Este servidor não tem motor de voz.', 'Este servidor no tiene motor de voz.'],
  'This server cannot hear: its optional packages are not installed': [
    'Este servidor não reconhece fala: os pacotes opcionais não estão instalados.',
    'Este servidor no reconoce voz: los paquetes opcionales no están instalados.',
  ],
  'The natural voice is not prepared': [
    'A voz integrada ainda não está pronta.',
    'La voz integrada aún no está lista.',
  ],
  'The natural voice does not start': ['A voz integrada não iniciou.', 'La voz integrada no arrancó.'],
  'The natural voice failed': ['A voz integrada falhou.', 'La voz integrada falló.'],
  'The natural voice is closed': ['A voz integrada foi encerrada.', 'La voz integrada se cerró.'],
  'Too many voices speak at once': [
    'Há vozes demais falando ao mesmo tempo. Tente de novo.',
    'Hay demasiadas voces hablando a la vez. Inténtelo de nuevo.',
  ],
  'The small voice failed': ['A voz simples falhou.', 'La voz sencilla falló.'],
  'The speech recogniser stopped': ['O reconhecimento de fala parou.', 'El reconocimiento de voz se detuvo.'],
  'The speech recogniser is closed': ['O reconhecimento de fala foi encerrado.', 'El reconocimiento de voz se cerró.'],
  'The speech recogniser is busy': [
    'O reconhecimento de fala está ocupado. Tente de novo.',
    'El reconocimiento de voz está ocupado. Inténtelo de nuevo.',
  ],
  'The audio changes its rate': ['A taxa do áudio muda no meio.', 'La frecuencia del audio cambia a la mitad.'],
  'The rate changes within one utterance': [
    'A taxa do áudio muda dentro de uma fala.',
    'La frecuencia del audio cambia dentro de una frase.',
  ],
  'The utterance is too long': ['A fala é longa demais.', 'La frase es demasiado larga.'],
  'Voice not found': ['Esta voz não existe.', 'Esta voz no existe.'],
  'This agent is not active': ['Este agente está desativado.', 'Este agente está desactivado.'],
  'This agent only takes inbound calls': ['Este agente só recebe chamadas.', 'Este agente solo recibe llamadas.'],
  'The agent did not finish its reply in time': [
    'O agente não terminou a resposta a tempo.',
    'El agente no terminó la respuesta a tiempo.',
  ],
  'The agent gave no answer': ['O agente não respondeu.', 'El agente no respondió.'],
  'This conversation has ended': ['Esta conversa terminou.', 'Esta conversación terminó.'],
  'Something went wrong on our side': [
    'Algo falhou no servidor. Os detalhes estão no log dele.',
    'Algo falló en el servidor. Los detalles están en su registro.',
  ],
  'name is required: send it in the query, as ?name=': ['Dê um nome ao documento.', 'Ponga un nombre al documento.'],
  'A knowledge base holds at most {limit} passages; this would be more': [
    'Uma base de conhecimento guarda no máximo {limit} trechos.',
    'Una base de conocimiento guarda como máximo {limit} fragmentos.',
  ],
  'A knowledge base holds at most {limit} documents': [
    'Uma base de conhecimento guarda no máximo {limit} documentos.',
    'Una base de conocimiento guarda como máximo {limit} documentos.',
  ],
  'There can be at most {limit} knowledge bases': [
    'O limite é de {limit} bases de conhecimento.',
    'El límite es de {limit} bases de conocimiento.',
  ],
  'A row of the table has more than {limit} columns': [
    'Uma linha da tabela tem mais de {limit} colunas.',
    'Una fila de la tabla tiene más de {limit} columnas.',
  ],
  'The table has more than {limit} cells': [
    'A tabela tem mais de {limit} células.',
    'La tabla tiene más de {limit} celdas.',
  ],
  'The table is too large: its labels are repeated in every row': [
    'A tabela é grande demais: os títulos das colunas se repetem em cada linha.',
    'La tabla es demasiado grande: los títulos de las columnas se repiten en cada fila.',
  ],
  'The page is nested too deep to be read': [
    'A página tem níveis demais para ser lida.',
    'La página tiene demasiados niveles para leerse.',
  ],
  'PDF cannot be read here: the package unpdf is not installed': [
    'PDF não pode ser lido aqui: o pacote unpdf não está instalado.',
    'No se puede leer PDF aquí: el paquete unpdf no está instalado.',
  ],
  'The PDF is protected by a password': ['O PDF é protegido por senha.', 'El PDF está protegido con contraseña.'],
  'The document is no PDF that can be read': [
    'O documento não é um PDF que possa ser lido.',
    'El documento no es un PDF que se pueda leer.',
  ],
  'The PDF has more than {limit} pages': ['O PDF tem mais de {limit} páginas.', 'El PDF tiene más de {limit} páginas.'],
  'The PDF holds no text; pages that were scanned cannot be read': [
    'O PDF não contém texto; páginas digitalizadas não podem ser lidas.',
    'El PDF no contiene texto; las páginas escaneadas no se pueden leer.',
  ],
  'A PDF is sent as the body itself, with Content-Type: application/pdf': [
    'Envie o PDF como arquivo.',
    'Envíe el PDF como archivo.',
  ],
  'The charset of the document is not known': [
    'A codificação do documento não é conhecida.',
    'La codificación del documento no se conoce.',
  ],
  'The document is not valid UTF-8': ['O documento não está em UTF-8 válido.', 'El documento no está en UTF-8 válido.'],
  'The document is no text that can be read: send it in UTF-8, or name its charset': [
    'O documento não é um texto que possa ser lido. Salve-o em UTF-8.',
    'El documento no es un texto que se pueda leer. Guárdelo en UTF-8.',
  ],
  'The document holds NUL characters: it is no text': ['O documento não é texto.', 'El documento no es texto.'],
  'The document holds more than {limit} letters of text; split it': [
    'O documento tem mais de {limit} caracteres. Divida-o.',
    'El documento tiene más de {limit} caracteres. Divídalo.',
  ],
  'The page has more than {limit} letters': [
    'A página tem mais de {limit} caracteres.',
    'La página tiene más de {limit} caracteres.',
  ],
  'The document cannot be read': ['O documento não pode ser lido.', 'El documento no se puede leer.'],
  'The document holds no text': ['O documento não contém texto.', 'El documento no contiene texto.'],
}

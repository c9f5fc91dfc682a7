// Failures of requests to other servers (webhooks, HTTP tools, MCP): the server's English with translations into
// Portuguese and Spanish; {names} are placeholders.
import type { ServerTexts } from '../server-text.ts'

export const requestsServerTexts: ServerTexts = {
  '{host} has no address': ['{host} não tem endereço', '{host} no tiene dirección'],
  '{host} is this server, which tools may not call': [
    '{host} é este próprio servidor, que não pode ser chamado',
    '{host} es este mismo servidor, que no se puede llamar',
  ],
  '{host} is in a network that tools may not reach': [
    '{host} está em uma rede que não pode ser acessada',
    '{host} está en una red a la que no se puede acceder',
  ],
  '{host} redirects too often': ['{host} redireciona vezes demais', '{host} redirige demasiadas veces'],
  'the answer is a redirect': ['a resposta é um redirecionamento', 'la respuesta es una redirección'],
  'the address is not a valid URL': ['o endereço não é uma URL válida', 'la dirección no es una URL válida'],
  'only http and https addresses can be called': [
    'só endereços http e https podem ser chamados',
    'solo se pueden llamar direcciones http y https',
  ],
  'an address must not hold a user name or password': [
    'um endereço não pode conter usuário nem senha',
    'una dirección no puede llevar usuario ni contraseña',
  ],
  'port {port} may not be called': ['a porta {port} não pode ser chamada', 'el puerto {port} no se puede llamar'],
  'a header of that name cannot be sent': [
    'um cabeçalho com esse nome não pode ser enviado',
    'no se puede enviar un encabezado con ese nombre',
  ],
  'the header {name} holds characters that a header cannot carry': [
    'o cabeçalho {name} tem caracteres que não podem ser enviados',
    'el encabezado {name} tiene caracteres que no se pueden enviar',
  ],
  '{host} did not answer in time': ['{host} não respondeu a tempo', '{host} no respondió a tiempo'],
  'the request to {host} was given up': ['a requisição a {host} foi cancelada', 'la solicitud a {host} se canceló'],
  "the headers of {host}'s answer are too large": [
    'os cabeçalhos da resposta de {host} são grandes demais',
    'los encabezados de la respuesta de {host} son demasiado grandes',
  ],
  '{host} did not answer in proper HTTP': ['{host} não respondeu em HTTP válido', '{host} no respondió en HTTP válido'],
  'the certificate of {host} is not valid': [
    'o certificado de {host} não é válido',
    'el certificado de {host} no es válido',
  ],
  '{host} could not be reached in time': [
    'não foi possível acessar {host} a tempo',
    'no se pudo acceder a {host} a tiempo',
  ],
  'the connection to {host} broke': ['a conexão com {host} caiu', 'la conexión con {host} se cortó'],
  '{host} could not be reached': ['não foi possível acessar {host}', 'no se pudo acceder a {host}'],
  'the token server answered with status {status}': [
    'o servidor de tokens respondeu com o status {status}',
    'el servidor de tokens respondió con el estado {status}',
  ],
  'the token server answered without a token': [
    'o servidor de tokens respondeu sem token',
    'el servidor de tokens respondió sin token',
  ],
  'the token server answered {how}': ['o servidor de tokens respondeu {how}', 'el servidor de tokens respondió {how}'],
  'the answer is packed in a way that was not asked for': [
    'a resposta veio comprimida de um modo que não foi pedido',
    'la respuesta vino comprimida de un modo que no se pidió',
  ],
  'the answer has more than {limit} bytes': [
    'a resposta passa de {limit} bytes',
    'la respuesta supera los {limit} bytes',
  ],
  'an event has more than {limit} bytes': ['um evento passa de {limit} bytes', 'un evento supera los {limit} bytes'],
  'the answer is nested too deeply, or has too many keys': [
    'a resposta tem níveis ou chaves demais',
    'la respuesta tiene demasiados niveles o claves',
  ],
  'its answer says it is JSON and is not': ['a resposta diz ser JSON e não é', 'la respuesta dice ser JSON y no lo es'],
  'Done: the answer is empty.': ['Pronto: a resposta veio vazia.', 'Listo: la respuesta vino vacía.'],
  'The server has answered, but {fault}, more than is read': [
    'O servidor respondeu, mas {fault}, mais do que é lido',
    'El servidor respondió, pero {fault}, más de lo que se lee',
  ],
  'The server has answered, but {fault}, more than is read. Do not send it again': [
    'O servidor respondeu, mas {fault}, mais do que é lido. Não envie de novo',
    'El servidor respondió, pero {fault}, más de lo que se lee. No lo envíe de nuevo',
  ],
  'the address': ['o endereço', 'la dirección'],
  'The service is shutting down': ['O servidor está sendo encerrado', 'El servidor se está apagando'],
}

/** The same as an import of node:http, which would also load all of Node's own fetch: a twentieth of the server's start. */
export const { createServer, IncomingMessage, STATUS_CODES } = process.getBuiltinModule('node:http')

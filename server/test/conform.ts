import assert from 'node:assert/strict'
import { Compile, type Validator } from 'typebox/schema'
import { openApiDocument } from '../../contract/openapi.ts'
import { type Operation, operations } from '../../contract/operations.ts'

/* Every response that a test receives is checked against the OpenAPI document, including undocumented fields. */

type Json = Record<string, unknown>

const document = openApiDocument('test', 'http://test') as { components: { schemas: Json }; paths: Json }

const routes = Object.entries<Operation>(operations).map(([name, { method, path }]) => ({
  name,
  method,
  pattern: new RegExp(`^${path.replace(/:\w+/g, '[^/]+')}/?$`),
}))

const validators = new Map<string, Validator>()

/** Resolves references and closes objects, so that undocumented fields are found. */
function close(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(close)
  if (typeof schema !== 'object' || schema === null) return schema
  const { $ref, ...rest } = schema as Json & { $ref?: string }
  if ($ref) return close(document.components.schemas[$ref.replace('#/components/schemas/', '')])
  const closed = Object.fromEntries(Object.entries(rest).map(([key, value]) => [key, close(value)]))
  return closed['type'] === 'object' && closed['properties'] ? { additionalProperties: false, ...closed } : closed
}

function validatorOf(name: string, path: string, method: string, status: number): Validator {
  const key = `${name} ${status}`
  let validator = validators.get(key)
  if (!validator) {
    const described = (document.paths[path.replace(/:(\w+)/g, '{$1}')] as Record<string, { responses: Json }>)[
      method.toLowerCase()
    ]
    const response = described?.responses[status] as
      | { content: { 'application/json'?: { schema: unknown } } }
      | undefined
    assert.ok(response, `${name} answered ${status}, which the OpenAPI document does not mention`)
    validator = Compile(close(response.content['application/json']?.schema ?? {}) as object)
    validators.set(key, validator)
  }
  return validator
}

export function assertConforms(method: string, url: string, status: number, body: unknown) {
  const { pathname } = new URL(url, 'http://test')
  const route = routes.find((candidate) => candidate.method === method && candidate.pattern.test(pathname))
  if (!route) return
  const validator = validatorOf(route.name, operations[route.name as keyof typeof operations].path, method, status)
  const errors = validator.Check(body)
    ? []
    : validator.Errors(body)[1].map((error) => `${error.instancePath} ${error.message}`)
  assert.deepEqual(errors, [], `${method} ${pathname} answered something its description does not allow`)
}

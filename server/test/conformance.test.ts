/*
 * What the requested interface promises, written by a person who knew only its document. One file, so that all subjects
 * share one server: starting eight took longer than all the tests.
 */
import './conformance/bulk.ts'
import './conformance/drivers.ts'
import './conformance/endpoints.ts'
import './conformance/events.ts'
import './conformance/states.ts'
import './conformance/tasks.ts'
import './conformance/teams.ts'
import './conformance/webhooks.ts'

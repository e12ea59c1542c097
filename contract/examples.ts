import type { OperationName } from './operations.ts'

const address = { address: 'Strada Lipscani 12, București', lat: 44.4323, lng: 26.1004 }

/** A body for every operation that takes one, as the reference shows it. A test sends each through its schema. */
export const examples: { [Name in OperationName]?: object } = {
  createTask: {
    awb: 'A-1',
    details: 'Ring twice',
    address,
    customer: { name: 'Ana Pop', phone: '0722 111 222' },
    totalPrice: 120,
    paymentTypeId: 1,
    completeAfter: '2026-11-16 09:00:00',
    completeBefore: '2026-11-16 12:00:00',
  },
  bulkCreateTasks: {
    tasks: [
      { awb: 'A-2', address },
      { awb: 'A-3', address: { city: 'Cluj-Napoca' } },
    ],
  },
  updateTask: { details: 'Leave it with the neighbour', completeBefore: '2026-11-16 17:00:00' },
  forceCompleteTask: { success: false, failureReason: 'Nobody at home' },
  addTaskNote: { note: 'The customer called: after five, please' },
  bulkUnassignTasks: { tasks: ['A-1', 'A-2'] },
  assignTasksByAwb: { tasks: ['A-1', 'A-2'] },
  assignTasksById: { tasks: [17, 18] },
  bulkCreateDriverTasks: { tasks: [{ awb: 'A-4', address }] },
  optimizeTodayTasks: { traffic: 'normal' },
  createDriver: {
    name: 'Ion Popescu',
    phone: '0712 345 678',
    teams: [1],
    startShiftTime: '8:00',
    endShiftTime: '16:30',
    lunchBreakStart: '12:00',
    lunchBreakEnd: '13:00',
    lunchBreakDuration: 30,
  },
  updateDriver: { phone: '0712 345 679', teams: [1, 2] },
  createTeam: { name: 'Day', hubId: 1, drivers: [5, 6] },
  updateTeam: { name: 'Night' },
  createHub: { name: 'North', lat: 44.47, lng: 26.09, city: 'București' },
  updateHub: { streetName: 'Șoseaua Kiseleff' },
  loginDriver: { phone: '0712 345 678', code: '123456' },
  setDuty: { inShift: true },
  acceptTask: {},
  startTask: {},
  arriveAtTask: {},
  completeTask: {},
  failTask: { reason: 'The address does not exist' },
  addOwnNote: { note: 'Left at the reception' },
  createWebhook: { url: 'https://example.com/waybill', trigger: 4 },
  replayWebhook: { state: 'all', from: '2026-11-15 08:00', to: '2026-11-15 12:00' },
  updateCompany: { phone: '021 300 4000', settings: { automaticDriverFlow: true } },
  createKey: { name: 'Web shop', scopes: ['tasks:read', 'tasks:write'] },
  rotateKey: { overlapHours: 24 },
}

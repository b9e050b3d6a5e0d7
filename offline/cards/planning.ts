import type { Card } from './card.ts';

const GARDEN = { requestId: 'req-1' };

/** What the tools of the server `planning` do. The garden plan is its request `req-1`. */
export const planning: readonly Card[] = [
  {
    tool: 'planning/request_planning',
    phrases: [
      'open a new plan for {originalRequest} that begins with the task {tasks}',
      'register the project {originalRequest} with a first task called {tasks}',
      'plan {originalRequest}, starting from the task {tasks}',
    ],
    slots: {
      originalRequest: { kind: 'text', samples: ['Repair the roof', 'Host a concert', 'Paint the boat'] },
      tasks: {
        kind: 'text',
        samples: ['Ask for offers', 'Make a list', 'Find a date'],
        argument: [{ title: '$value', description: 'The first step' }],
      },
    },
    gives: [
      { kind: 'request-id', noun: 'the id of the new plan', pick: { path: 'requestId' } },
      { kind: 'task-id', noun: 'the id of its first task', pick: { path: 'tasks.0.id' } },
    ],
  },
  {
    tool: 'planning/get_next_task',
    phrases: [
      'tell the next open task of the plan {requestId}',
      'see what has to be done next in the plan {requestId}',
      'fetch the upcoming task of {requestId}',
    ],
    slots: { requestId: { kind: 'request-id', samples: ['req-1', 'req-5', 'req-6'] } },
    gives: [
      { kind: 'task-id', noun: 'the id of the next task', pick: { path: 'task.id' } },
      { kind: 'text', noun: 'the title of the next task', pick: { path: 'task.title' } },
    ],
  },
  {
    tool: 'planning/mark_task_done',
    phrases: [
      'mark the garden task {taskId} as done',
      'tick off {taskId} in the garden plan',
      'record that the garden task {taskId} is finished',
    ],
    slots: { taskId: { kind: 'garden-task', samples: ['task-1', 'task-2', 'task-3'] } },
    constants: GARDEN,
    gives: [{ kind: 'finished-garden-task', noun: 'the id of the finished task', pick: { path: 'task.id' } }],
  },
  {
    tool: 'planning/approve_task_completion',
    phrases: [
      'approve the finished garden task {taskId}',
      'confirm that {taskId} of the garden plan was done well',
      'sign off the completed garden task {taskId}',
    ],
    slots: { taskId: { kind: 'finished-garden-task', samples: ['task-10', 'task-11', 'task-12'] } },
    constants: GARDEN,
    gives: [{ kind: 'text', noun: 'the title of the approved task', pick: { path: 'task.title' } }],
  },
  {
    tool: 'planning/approve_request_completion',
    phrases: [
      'approve the whole plan {requestId} as complete',
      'close the plan {requestId} for good',
      'give the final approval to {requestId}',
    ],
    slots: { requestId: { kind: 'finished-request', samples: ['req-2', 'req-3', 'req-4'] } },
    gives: [{ kind: 'text', noun: 'the sentence of final approval', pick: { path: 'message' } }],
  },
  {
    tool: 'planning/open_task_details',
    phrases: [
      'show the details of the task {taskId}',
      'look up the description of the planned task {taskId}',
      'open the entry of {taskId} in the planner',
    ],
    slots: { taskId: { kind: 'task-id', samples: ['task-18', 'task-13', 'task-20'] } },
    gives: [
      { kind: 'text', noun: 'the title of the opened task', pick: { path: 'task.title' } },
      { kind: 'text', noun: 'the description of the opened task', pick: { path: 'task.description' } },
    ],
  },
  {
    tool: 'planning/list_requests',
    phrases: [
      'list all plans with their progress',
      'give an overview of the plans in the planner',
      'show which plans exist',
    ],
    slots: {},
    gives: [
      { kind: 'request-id', noun: 'the id of the first plan', pick: { path: 'requests.0.requestId' } },
      { kind: 'text', noun: 'the wording of the first plan', pick: { path: 'requests.0.originalRequest' } },
    ],
  },
  {
    tool: 'planning/add_tasks_to_request',
    phrases: [
      'add the task {tasks} to the garden plan',
      'extend the garden plan by {tasks}',
      'put {tasks} on the list of garden tasks',
    ],
    slots: {
      tasks: {
        kind: 'text',
        samples: ['Order gravel', 'Repair the bench', 'Label the beds'],
        argument: [{ title: '$value', description: 'Added later' }],
      },
    },
    constants: GARDEN,
    gives: [{ kind: 'garden-task', noun: 'the id of the added task', pick: { path: 'newTasks.0.id' } }],
  },
  {
    tool: 'planning/update_task',
    phrases: [
      'rename the garden task {taskId} to {title}',
      'change the title of {taskId} in the garden plan to {title}',
      'reword the garden task {taskId} as {title}',
    ],
    slots: {
      taskId: { kind: 'garden-task', samples: ['task-7', 'task-8', 'task-9'] },
      title: { kind: 'text', samples: ['Plant roses instead', 'Ask the neighbours', 'Wait for rain'] },
    },
    constants: GARDEN,
    gives: [{ kind: 'text', noun: 'the new title of the task', pick: { path: 'task.title' } }],
  },
  {
    tool: 'planning/delete_task',
    phrases: [
      'delete the garden task {taskId}',
      'drop {taskId} from the garden plan',
      'remove the task {taskId} from the plan for the garden',
    ],
    slots: { taskId: { kind: 'garden-task', samples: ['task-4', 'task-5', 'task-6'] } },
    constants: GARDEN,
    gives: [],
  },
];

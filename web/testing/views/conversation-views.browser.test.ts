import { checkViews } from './check-views.ts';
import { CONVERSATION_VIEWS } from './conversation-views.ts';

checkViews(CONVERSATION_VIEWS);

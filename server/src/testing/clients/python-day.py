"""A day's conversation by the PyPI package zulip, unmodified, while a thread for each person reads their event queue.

Arguments: where the server is, a picture, and the accounts as JSON: {name: {"id", "username", "apiKey"}}. Writes to standard output a
line of JSON for each thing that a person's client is told: {"who", "state"}, {"who", "events"} and at last {"who", "fresh"}, which is
the state that a client gets which registers then. Ends with a traceback where something is not as it should be.
"""
import json
import sys
import threading
import time

import zulip

SITE, PICTURE, ACCOUNTS = sys.argv[1], sys.argv[2], json.loads(sys.argv[3])
AS_AN_APP = json.loads(sys.argv[4])
WITHIN = 30
printing = threading.Lock()


def tell(who, **what):
    with printing:
        print(json.dumps({"who": who, **what}), flush=True)


def ok(answer):
    assert answer["result"] == "success", answer
    return answer


def soon():
    return int(time.time()) + 2


def later():
    return int(time.time()) + 3600


class Person:
    """Somebody with a client, and another one that reads a queue all day."""

    def __init__(self, name):
        account = ACCOUNTS[name]
        self.name, self.id, self.email = name, account["id"], account["username"]
        self.client = self.new_client()
        self.reader = self.new_client()
        self.changed = threading.Condition()
        self.events = []
        state = ok(self.reader.register(**AS_AN_APP))
        tell(name, state=state)
        self.queue_id, self.last_event_id = state["queue_id"], state["last_event_id"]
        self.thread = threading.Thread(target=self.read, daemon=True)
        self.thread.start()

    def new_client(self):
        account = ACCOUNTS[self.name]
        return zulip.Client(site=SITE, email=account["username"], api_key=account["apiKey"])

    def read(self):
        while True:
            answer = self.reader.get_events(queue_id=self.queue_id, last_event_id=self.last_event_id)
            if answer.get("code") == "BAD_EVENT_QUEUE_ID":
                return
            events = ok(answer)["events"]
            tell(self.name, events=events)
            self.last_event_id = max([self.last_event_id, *(event["id"] for event in events)])
            with self.changed:
                self.events.extend(events)
                self.changed.notify_all()

    def hears(self, fits):
        """Takes the first event that fits off the list, waiting for it; those before it are dropped."""
        with self.changed:
            while True:
                while self.events:
                    event = self.events.pop(0)
                    if fits(event):
                        return event
                assert self.changed.wait(WITHIN), f"{self.name} has heard nothing"

    def hears_text(self, text):
        return self.hears(lambda event: event["type"] == "message" and text in event["message"]["content"])

    def send(self, to, topic, content):
        message = {"type": "stream", "to": to, "topic": topic, "content": content}
        return ok(self.client.send_message(message))["id"]

    def call(self, method, url, **request):
        return ok(self.client.call_endpoint(url=url, method=method, request=request))

    def end(self):
        ok(self.client.deregister(self.queue_id))
        self.thread.join(WITHIN)


olive, ada, ben = Person("olive"), Person("ada"), Person("ben")

# Who is who.
assert ok(olive.client.get_server_settings())["zulip_feature_level"] == 421
assert ok(ada.client.get_profile())["user_id"] == ada.id
assert {one["user_id"] for one in ok(ada.client.get_members())["members"]} >= {olive.id, ada.id, ben.id}
assert ok(ada.client.get_user_by_id(ben.id))["user"]["full_name"] == "Ben"

# The library's own loop.
heard = threading.Event()
listener = ben.new_client()
threading.Thread(target=lambda: listener.call_on_each_message(lambda _: heard.set()), daemon=True).start()
for _ in range(WITHIN * 10):
    ok(ada.client.send_message({"type": "private", "to": [ben.email], "content": "Are you there?"}))
    if heard.wait(0.1):
        break
assert heard.is_set()

# Channels, and who is in them.
made = ok(
    olive.client.add_subscriptions(
        streams=[{"name": "loom", "description": "What we *weave*", "color": "#00aacc"}],
        principals=[olive.id, ada.id, ben.id],
        history_public_to_subscribers=True,
        topics_policy="inherit",
        message_retention_days="realm_default",
    )
)
assert made["subscribed"] == {str(one.id): ["loom"] for one in (olive, ada, ben)}, made
loom = ok(ada.client.get_stream_id("loom"))["stream_id"]
dyes = olive.call("POST", "channels/create", name="dyes & wool", subscribers=[olive.id])["id"]
desk = olive.call("POST", "channels/create", name="desk", subscribers=[olive.id], invite_only=True)["id"]
ok(ada.client.add_subscriptions([{"name": "dyes & wool"}]))
ok(olive.client.add_subscriptions([{"name": "dyes & wool"}], principals=[ben.email]))
ben.hears_text("subscribed you to")
assert ok(ada.client.get_subscription_status(ben.id, dyes))["is_subscribed"] is True
assert set(ok(ada.client.get_subscribers(stream="dyes & wool"))["subscribers"]) == {olive.id, ada.id, ben.id}
denied = ada.client.add_subscriptions([{"name": "desk"}])
assert (denied["code"], denied["msg"]) == ("BAD_REQUEST", "Unable to access channel (desk)."), denied
left_out = ok(ada.client.add_subscriptions([{"name": "desk"}], authorization_errors_fatal=False))
assert left_out["unauthorized"] == ["desk"], left_out

# A group.
group = ok(
    olive.client.create_user_group({"name": "weavers", "description": "Who weave", "members": [olive.id, ada.id]})
)["group_id"]
ok(olive.client.update_user_group_members(group, {"add": [ben.id], "delete": [olive.id]}))
ok(olive.client.update_user_group({"group_id": group, "description": "Who weave cloth"}))
weavers = [one for one in ok(ada.client.get_user_groups())["user_groups"] if one["id"] == group]
assert sorted(weavers[0]["members"]) == sorted([ada.id, ben.id]), weavers
olive.send("loom", "warp", "Good morning, @*weavers*")
assert "mentioned" in ben.hears_text("Good morning")["flags"]
# At this feature level groups are deactivated; the method of the library is for older servers.
assert olive.client.remove_user_group(group)["result"] == "error"

# What the organization lets people do.
nobody_else = {"direct_members": [olive.id], "direct_subgroups": []}
olive.call("PATCH", "realm", can_create_public_channel_group={"new": nobody_else})
assert ada.client.add_subscriptions([{"name": "silk"}])["msg"] == "Insufficient permission"
olive.call("PATCH", "realm", name="The weaving mill", moderation_request_channel_id=desk)

# Messages: edited, moved, resolved.
first = ada.send("loom", "warp", "Is the warp **tight**?")
second = ben.send("loom", "warp", "It is not")
ok(ada.client.update_message({"message_id": first, "content": "Is the warp **tight**, @**Ben**?"}))
edited = ben.hears(lambda event: event["type"] == "update_message")
assert (edited["message_id"], "mentioned" in edited["flags"]) == (first, True), edited
assert len(ok(ada.client.get_message_history(first))["message_history"]) == 2
assert ok(ada.client.get_raw_message(first))["raw_content"] == "Is the warp **tight**, @**Ben**?"
ok(olive.client.update_message({"message_id": second, "topic": "the warp", "propagate_mode": "change_all"}))
ok(olive.client.move_topic("loom", "dyes & wool", "the warp", "cloth"))
moved = ada.hears(lambda event: event["type"] == "update_message" and event.get("new_stream_id") == dyes)
assert {first, second} <= set(moved["message_ids"]), moved
for topic in ("✔ cloth", "cloth"):
    ok(olive.client.update_message({"message_id": first, "topic": topic, "propagate_mode": "change_all"}))
assert "cloth" in [topic["name"] for topic in ok(ben.client.get_stream_topics(dyes))["topics"]]
limit = ada.client.update_message({"message_id": first, "content": "x", "prev_content_sha256": "0" * 64})
assert limit["code"] == "EXPECTATION_MISMATCH", limit

# Reactions, an emoji of their own, a report.
done = ada.send("loom", "weft", "It is **done**")
ok(ben.client.add_reaction({"message_id": done, "emoji_name": "tada"}))
assert ben.client.add_reaction({"message_id": done, "emoji_name": "tada"})["code"] == "REACTION_ALREADY_EXISTS"
with open(PICTURE, "rb") as picture:
    ok(olive.client.upload_custom_emoji("shuttle", picture))
[own] = [one for one in ok(ada.client.get_realm_emoji())["emoji"].values() if one["name"] == "shuttle"]
by_code = {"emoji_name": "shuttle", "emoji_code": own["id"], "reaction_type": "realm_emoji"}
ok(ada.client.add_reaction({"message_id": done, **by_code}))
ben.hears(lambda event: event["type"] == "reaction" and event["reaction_type"] == "realm_emoji")
ok(ben.client.remove_reaction({"message_id": done, "emoji_name": "tada"}))
ok(olive.client.delete_custom_emoji("shuttle"))
ben.call("POST", f"messages/{done}/report", report_type="other", description="Far too good")
assert olive.hears_text("Far too good")["message"]["stream_id"] == desk

# Topics, and what was read.
ben.call("POST", "user_topics", stream_id=loom, topic="weft", visibility_policy=3)
ok(ben.client.mute_topic({"stream": "loom", "topic": "chatter", "op": "add"}))
ok(ben.client.mute_topic({"stream_id": loom, "topic": "chatter", "op": "remove"}))
ok(
    ben.client.update_subscription_settings(
        [
            {"stream_id": dyes, "property": "is_muted", "value": True},
            {"stream_id": loom, "property": "color", "value": "#112233"},
        ]
    )
)
news = [ada.send("loom", topic, "news") for topic in ("weft", "weft", "chatter", "other", "more")]
for op in ("add", "remove"):
    ok(ben.client.update_message_flags({"messages": [news[0]], "op": op, "flag": "read"}))
ok(ben.client.update_message_flags({"messages": [news[2]], "op": "add", "flag": "starred"}))
narrow = [{"operator": "channel", "operand": "loom"}, {"operator": "topic", "operand": "weft"}]
place = {"anchor": "oldest", "num_before": 0, "num_after": 100, "narrow": narrow}
flagged = ben.call("POST", "messages/flags/narrow", **place, op="add", flag="read")
assert flagged["found_oldest"] and flagged["found_newest"] and flagged["updated_count"] >= 2, flagged
ok(ben.client.mark_topic_as_read(loom, "other"))
ok(ben.client.mark_stream_as_read(loom))
home = {"anchor": "newest", "num_before": 50, "num_after": 0, "narrow": [{"operator": "in", "operand": "home"}]}
found = ok(ben.client.get_messages(home))["messages"]
assert found and all(one.get("stream_id") != dyes for one in found)
ok(ben.client.mark_all_as_read())
ben.hears(lambda event: event["type"] == "update_message_flags" and event["all"])
ok(ben.client.set_typing_status({"op": "start", "type": "direct", "to": [ada.id]}))
ada.hears(lambda event: event["type"] == "typing")

# What is sent later.
message = {"type": "channel", "to": loom, "topic": "evening", "scheduled_delivery_timestamp": later()}
kept, dropped = (
    ada.call("POST", "scheduled_messages", **message, content=content)["scheduled_message_id"]
    for content in ("Go home", "Stay")
)
ada.call("DELETE", f"scheduled_messages/{dropped}")
ada.call("PATCH", f"scheduled_messages/{kept}", content="Time to go home", scheduled_delivery_timestamp=soon())
assert [one["scheduled_message_id"] for one in ada.call("GET", "scheduled_messages")["scheduled_messages"]] == [kept]
sent = ben.hears_text("Time to go home")["message"]
assert (sent["sender_id"], sent["subject"]) == (ada.id, "evening"), sent
far = ben.call("POST", "reminders", message_id=sent["id"], scheduled_delivery_timestamp=later())
ben.call("POST", "reminders", message_id=sent["id"], scheduled_delivery_timestamp=soon(), note="the keys")
ben.call("DELETE", f"reminders/{far['reminder_id']}")
ben.hears_text("the keys")
assert ben.call("GET", "reminders")["reminders"] == []

# Folders, and channels that change.
folder = olive.call("POST", "channel_folders/create", name="Cloth", description="All of *it*")["channel_folder_id"]
spare = olive.call("POST", "channel_folders/create", name="Spare", description="")["channel_folder_id"]
olive.call("PATCH", "channel_folders", order=[spare, folder])
olive.call("PATCH", f"channel_folders/{spare}", is_archived=True)
ok(olive.client.update_stream({"stream_id": loom, "folder_id": folder, "description": "What we weave"}))
ok(olive.client.update_stream({"stream_id": dyes, "new_name": "colours", "is_private": True}))
public = olive.client.update_stream({"stream_id": desk, "is_private": False})
assert public["msg"] == "Moderation request channel must be private.", public
ok(olive.client.update_stream({"stream_id": dyes, "is_private": False}))
ok(olive.client.add_default_stream(loom))
[shown] = [one for one in ok(ada.client.get_streams(include_default=True))["streams"] if one["stream_id"] == loom]
assert (shown["folder_id"], shown["is_default"]) == (folder, True), shown
ok(ada.client.get_stream_email_address(loom))

# The end of things.
mistake = ben.send("loom", "scraps", "a mistake")
ok(olive.client.delete_message(mistake))
ada.hears(lambda event: event["type"] == "delete_message" and mistake in event["message_ids"])
for content in ("one", "two"):
    ada.send("loom", "scraps", content)
assert olive.call("POST", f"streams/{loom}/delete_topic", topic_name="scraps")["complete"] is True
assert ok(ben.client.remove_subscriptions(["colours"]))["removed"] == ["colours"]
assert ok(olive.client.remove_subscriptions(["colours"], principals=[ada.id]))["removed"] == ["colours"]
ok(olive.client.delete_stream(dyes))
ok(olive.client.update_stream({"stream_id": dyes, "is_archived": False}))
ok(olive.client.delete_stream(dyes))
olive.call("POST", f"user_groups/{group}/deactivate")

for person in (olive, ada, ben):
    ok(person.client.send_message({"type": "direct", "to": [person.id], "content": "Good night"}))
    person.hears_text("Good night")
for person in (olive, ada, ben):
    person.end()
    fresh = ok(person.client.register(**AS_AN_APP))
    ok(person.client.deregister(fresh["queue_id"]))
    tell(person.name, fresh=fresh)

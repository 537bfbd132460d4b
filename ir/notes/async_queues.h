// Asynchronous copies: the attributes that open groups and waits, and where these may stand.
#pragma once
#include "ir/wellformed.h"

namespace hexproof {

// TVM's keys. A group is a commit scope, which may have an async scope directly in it; a wait is a wait scope with the
// count directly in it.
inline constexpr const char* kAsyncCommit = "async_commit_queue_scope";
inline constexpr const char* kAsyncScope = "async_scope";
inline constexpr const char* kAsyncWait = "async_wait_queue_scope";
inline constexpr const char* kAsyncInflight = "async_wait_inflight_count";
bool is_async_key(std::string_view key);

/// Is there a group in the statement?
bool has_groups(const Stmt& stmt);
/// A group, or a wait?
bool uses_queues(const Stmt& stmt);

/// What is no form of a program, though each part of it is one; the first of these, or nothing:
/// - a group or a wait in a group, memory that is allocated in one, or a call of another function: it would be gone
///   before the copy is through;
/// - a group or a wait in a loop whose iterations run at once: their order on the queue would be open;
/// - a wait whose number of groups is data;
/// - an inner attribute of the two without its outer one.
std::optional<Defect> async_defect(const PrimFunc& func);

}  // namespace hexproof

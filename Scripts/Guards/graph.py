"""Circles in a directed graph."""


def components(graph):
    """The strongly connected components (Tarjan), without recursion. `graph`: node to nodes."""
    order, low, found = {}, {}, []
    stack, on_stack = [], set()
    for root in sorted(graph):
        if root in order:
            continue
        path = [(root, None)]
        while path:
            node, successors = path.pop()
            if successors is None:
                order[node] = low[node] = len(order)
                stack.append(node)
                on_stack.add(node)
                successors = iter(sorted(graph.get(node, ())))
            for successor in successors:
                if successor not in order:
                    path.append((node, successors))
                    path.append((successor, None))
                    break
                if successor in on_stack:
                    low[node] = min(low[node], order[successor])
            else:
                if low[node] == order[node]:
                    component = []
                    while not component or component[-1] != node:
                        component.append(stack.pop())
                        on_stack.discard(component[-1])
                    found.append(sorted(component))
                if path:
                    parent = path[-1][0]
                    low[parent] = min(low[parent], low[node])
    return found
